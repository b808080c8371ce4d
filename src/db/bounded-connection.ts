// A network can fall silent: packets are dropped, and no FIN or RST ever arrives. A connection then
// looks open for hours, and `query_timeout` of node-postgres only rejects the query: the connection
// still counts in the pool, and all later queries wait behind the lost one. So every connection
// has two limits, to connect and to answer, and is destroyed at either. The pool replaces it. A
// connection that was idle is asked before it is used, so that no query is lost on it.
import type { Socket } from 'node:net';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';

/** Limit of opening a connection. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Limit of an answer, and of connecting, while the process stops. */
const STOPPING_TIMEOUT_MS = 5_000;
/** Limit of an answer on a connection that waits when another one has got none. */
const DOUBTED_ANSWER_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/** A connection that was idle for longer is asked before it is used. */
export const TRUSTED_IDLE_MS = 1_000;
/** Limit of the answer to this question. A busy server answers later only if it is overloaded. */
const IDLE_ANSWER_MS = 3_000;

/** PostgreSQL did not answer in time. Whether the statement was executed is unknown. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * The transaction is committed, but PostgreSQL stopped waiting for its standby: somebody cancelled
 * the statement. If the primary is lost, the transaction may be lost with it.
 */
export class NotReplicated extends Error {
  override name = 'NotReplicated';
}

/**
 * The function of PostgreSQL that waits for a standby after a commit. It is a field of its warnings,
 * whose text depends on the server's language.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/** How long connections wait for PostgreSQL. All connections of a pool share it. */
export class Patience {
  readonly #answerMs: number;
  readonly #clients = new Set<BoundedClient>();
  readonly #givenUp = Promise.withResolvers<void>();
  #isStopping = false;
  #hasGivenUp = false;

  /** @param answerMs maximum time without any byte from PostgreSQL while a statement runs */
  constructor(answerMs: number) {
    this.#answerMs = answerMs;
  }

  get answerMs(): number {
    return this.#isStopping ? Math.min(this.#answerMs, STOPPING_TIMEOUT_MS) : this.#answerMs;
  }

  get connectMs(): number {
    return this.#isStopping ? STOPPING_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
  }

  /** Whether PostgreSQL did not answer while the process stops. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** Resolves when `hasGivenUp` becomes true. */
  whenGivenUp(): Promise<void> {
    return this.#givenUp.promise;
  }

  /**
   * Shortens all limits, because the process stops. At the first missing answer all connections
   * that wait are destroyed, and no others are opened, so that everything that waits ends at once.
   */
  shorten(): void {
    this.#isStopping = true;
    for (const client of this.#clients) client.restartTimer();
  }

  add(client: BoundedClient): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  /**
   * A new connection has found this database. Connections to another one are destroyed: a standby was
   * promoted meanwhile, and what runs on the former primary is lost, or is never answered.
   */
  find(identity: string, finder: BoundedClient): void {
    finder.identity = identity;
    for (const client of this.#clients) client.destroyUnlessOf(identity);
  }

  /** Destroys the connections that were idle for too long to be trusted. */
  destroyIdle(): void {
    for (const client of this.#clients) client.destroyIfIdle();
  }

  /** Another connection of the process got no answer: shortens the waits that run, and no later ones. */
  doubt(): void {
    for (const client of this.#clients) client.doubt();
  }

  /** Records that a connection was destroyed because PostgreSQL did not answer. */
  reportSilence(): void {
    if (!this.#isStopping || this.#hasGivenUp) return;
    this.#hasGivenUp = true;
    this.#givenUp.resolve();
    for (const client of this.#clients) client.destroyIfWaiting();
  }
}

export interface BoundedConfig extends ClientConfig {
  readonly patience: Patience;
}

/** A connection that is destroyed if PostgreSQL does not answer. */
export class BoundedClient extends Client {
  readonly #patience: Patience;
  #watched: Socket | undefined;
  /** When the pool got it back; undefined while it is used. */
  #idleSince: number | undefined;
  /** The database and its timeline: see `noteTimeline`. Undefined until it is known. */
  identity: string | undefined;

  constructor({ patience, ...config }: BoundedConfig) {
    super({
      ...config,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: patience.connectMs,
    });
    this.#patience = patience;
    // TLS replaces the socket.
    this.once('connect', () => this.#watch(this.#socket));
    // Without a listener, an error would end the process. A running query rejects with it too.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#failUnreplicated();
    });
    patience.add(this);
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    const refusal = this.#patience.hasGivenUp && new NoAnswer('PostgreSQL does not answer: not connected');
    // The socket of a refused connection has no listener for errors, so it is never destroyed.
    if (!refusal) this.#watch(this.#socket);
    if (!callback) return refusal ? Promise.reject(refusal) : super.connect();
    if (refusal) process.nextTick(callback, refusal);
    else super.connect(callback);
    return undefined;
  }

  /** Applies the current limits to the running wait. */
  restartTimer(): void {
    this.#socket.setTimeout(this.#patience.answerMs);
  }

  /** @param waitedMs the limit that the wait has reached */
  destroyIfWaiting(waitedMs = this.#patience.answerMs): void {
    if (this.#isWaiting) this.#destroy(waitedMs);
  }

  destroyUnlessOf(identity: string): void {
    if (this.identity === undefined || this.identity === identity) return;
    const message = 'Another primary has taken over: whether the statement was executed is unknown';
    this.#socket.destroy(new NoAnswer(message));
  }

  destroyIfIdle(): void {
    if (this.#wasIdleLong) this.#socket.destroy();
  }

  /** Ends the wait that runs unless a byte arrives soon. Later statements have the usual limit. */
  doubt(): void {
    if (!this.#isWaiting) return;
    const socket = this.#socket;
    const { bytesRead } = socket;
    setTimeout(() => {
      if (socket === this.#socket && socket.bytesRead === bytesRead) this.destroyIfWaiting(DOUBTED_ANSWER_MS);
    }, DOUBTED_ANSWER_MS).unref();
  }

  /** The pool has got the connection back. */
  rest(): void {
    this.#idleSince = performance.now();
  }

  /** The connection is taken from the pool. Returns whether it must be asked before it is used. */
  takeUp(): boolean {
    const mustAsk = this.#wasIdleLong;
    this.#idleSince = undefined;
    return mustAsk;
  }

  /**
   * Asks whether PostgreSQL answers.
   *
   * @throws Error if it does not: the connection is destroyed
   */
  async ask(): Promise<void> {
    this.#socket.setTimeout(Math.min(IDLE_ANSWER_MS, this.#patience.answerMs));
    await this.query('');
    this.restartTimer();
  }

  get #wasIdleLong(): boolean {
    return this.#idleSince !== undefined && performance.now() - this.#idleSince > TRUSTED_IDLE_MS;
  }

  get #socket(): Socket {
    return this.connection.stream as Socket;
  }

  /** Whether the connection is being opened, or a statement runs. */
  get #isWaiting(): boolean {
    return (this as unknown as { readonly readyForQuery?: boolean }).readyForQuery !== true;
  }

  #watch(socket: Socket): void {
    socket.setTimeout(this.#patience.answerMs);
    if (socket === this.#watched) return;
    this.#watched = socket;
    socket.on('timeout', () => {
      const { bytesRead } = socket;
      // If this process was stalled, the answer may have arrived. The event loop reads it first.
      setImmediate(() => {
        if (socket === this.#socket && socket.bytesRead === bytesRead) this.destroyIfWaiting();
      });
    });
  }

  /**
   * PostgreSQL reports a cancelled wait as a warning, and the commit as done. The answer may be in
   * the same bytes as the warning, so the statement fails here, before the answer is read.
   */
  #failUnreplicated(): void {
    const message = 'The wait for the standby was cancelled: committed, but perhaps not replicated';
    this.connection.emit('error', new NotReplicated(message));
    this.#socket.destroy();
  }

  #destroy(waitedMs: number): void {
    const error = new NoAnswer(
      `PostgreSQL did not answer within ${waitedMs} ms: whether the statement was executed is unknown`,
    );
    this.#socket.destroy(error);
    this.#patience.reportSilence();
  }
}

type OnConnection = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** A pool that gets rid of connections on which PostgreSQL does not answer. */
export class BoundedPool extends Pool {
  readonly #patience: Patience;

  constructor({ patience, ...config }: PoolConfig & { readonly patience: Patience }) {
    // pg-pool passes its own options to the constructor.
    class BoundedPoolClient extends BoundedClient {
      constructor(options?: ClientConfig) {
        super({ ...options, patience });
      }
    }
    // A process ends when only idle connections are left.
    super({ ...config, Client: BoundedPoolClient, allowExitOnIdle: true });
    this.#patience = patience;
    this.on('release', (_error, client) => (client as unknown as BoundedClient).rest());
    // The error of an idle connection is ignored: the next query gets another connection.
    this.on('error', () => undefined);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<PoolClient> | undefined {
    if (callback) {
      super.connect((...taken) => this.#ask(taken, callback));
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    this.connect((error, client) => (client ? resolve(client) : reject(error)));
    return promise;
  }

  /**
   * Asks a connection that was idle before it is used. Without an answer the other idle ones are as
   * old, so all of them are replaced.
   */
  #ask([error, client, release]: Parameters<OnConnection>, callback: OnConnection): void {
    const bounded = client as BoundedClient | undefined;
    if (!bounded?.takeUp()) {
      callback(error, client, release);
      return;
    }
    bounded.ask().then(
      () => callback(undefined, client, release),
      (lost) => {
        release(lost);
        this.#patience.destroyIdle();
        this.connect(callback);
      },
    );
  }
}

/** Settings of a session, by PostgreSQL's names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** The URL with settings for each session, after the URL's own `options`. Not for a pooler. */
export function withSessionSettings(databaseUrl: string, settings: SessionSettings): string {
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options');
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [...(own ? [own] : []), ...ours].join(' '));
  return url.href;
}
