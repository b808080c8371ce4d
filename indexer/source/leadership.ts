// One indexer leads per environment. The lock is that of one database session, and it ends in each
// of these ways:
//
// 1. The leader is closed or killed, or its connection breaks: the session ends at once.
// 2. The network between them is lost: the leader gets no answer within five seconds, and
//    PostgreSQL ends a session that is idle for ten.
// 3. The leader is frozen (stopped, swapped out, its machine suspended): PostgreSQL ends the session
//    as in 2. When it continues, its own clock shows that its term is too old, and every use of the
//    database is refused before a statement is sent (`fence-db.ts`). If even that clock stood still,
//    the position is not written, because it has the epoch of the next leader.

import { settledWithin } from '../../src/async/settled-within.ts';
import { tryAdvisoryLock } from '../../src/db/advisory-locks.ts';
import { BoundedClient, NoAnswer, Patience } from '../../src/db/bounded-connection.ts';
import { noteTimeline } from '../../src/db/timeline.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import type { Logger } from '../../src/observability/log.ts';
import { pause } from '../pause.ts';

/** Must never change: releases that run side by side must agree on it. */
const LOCK_PART = { TEST: '1', LIVE: '2' } as const satisfies Record<Environment, string>;
const ANSWER_TIMEOUT_MS = 5_000;
const DISCONNECT_TIMEOUT_MS = 1_000;
/** PostgreSQL ends the session, and with it the lock, when it has been idle for this time. */
const IDLE_TIMEOUT_MS = 10_000;
/** A leader trusts an answer of the session for this time. It ends before the session can. */
const TRUSTED_MS = 8_000;
export interface LeadershipOptions {
  readonly databaseUrl: string;
  readonly environment: Environment;
  /** Interval at which a standby tries to take the leadership and a leader checks it. */
  readonly checkMs: number;
  /**
   * Limit of the leader's last work after its term. Another term may begin then, because the work
   * of the old one is refused by the database.
   */
  readonly lastWorkMs: number;
  /** Called when PostgreSQL does not answer, so that the last work does not wait for it for long. */
  readonly onNoAnswer: () => void;
  readonly log: Logger;
}

/** This process does not lead any more, or cannot know whether it does. */
export class LeadershipLost extends Error {
  override name = 'LeadershipLost';

  constructor() {
    super('This indexer does not lead any more: its term is over or was not confirmed in time');
  }
}

/** The time from taking the lock to losing it. */
export class Term {
  /** Each term has a higher number than those before it. */
  readonly epoch: bigint;
  #confirmedAt: number;

  /** @param confirmedAt a time before the question, by `performance.now()` */
  constructor(epoch: bigint, confirmedAt: number) {
    this.epoch = epoch;
    this.#confirmedAt = confirmedAt;
  }

  /** Records that the session has answered. */
  confirm(askedAt: number): void {
    this.#confirmedAt = askedAt;
  }

  end(): void {
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
  }

  /** @throws LeadershipLost */
  assertHeld(): void {
    if (performance.now() - this.#confirmedAt >= TRUSTED_MS) throw new LeadershipLost();
  }
}

type Lead = (signal: AbortSignal, term: Term) => Promise<void>;

/**
 * Runs `lead` while this process is the environment's only leader, until `signal` aborts. The
 * leadership is a lock of one dedicated database connection: a killed leader loses it at once, a
 * frozen one in ten seconds. If the connection breaks, the signal passed to `lead` aborts, and the
 * process competes again.
 *
 * The URL must lead to PostgreSQL directly, because a pooler would share the lock.
 */
export async function holdLeadership(
  options: LeadershipOptions,
  signal: AbortSignal,
  lead: Lead,
): Promise<void> {
  const { environment, checkMs, log } = options;
  while (!signal.aborted) {
    try {
      await waitAndLead(options, signal, lead);
    } catch (err) {
      if (!signal.aborted) log.error({ err, environment }, 'leadership lost');
    }
    await pause(checkMs, signal);
  }
}

async function waitAndLead(
  { databaseUrl, environment, checkMs, lastWorkMs, onNoAnswer, log }: LeadershipOptions,
  signal: AbortSignal,
  lead: Lead,
): Promise<void> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    patience: new Patience(ANSWER_TIMEOUT_MS),
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort());
  const stop = AbortSignal.any([signal, lost.signal]);
  try {
    await client.connect();
    await noteTimeline(client);
    await client.query(`SET idle_session_timeout = ${IDLE_TIMEOUT_MS}`);
    let askedAt = performance.now();
    while (!(await takeLock(client, environment))) {
      await pause(checkMs, stop);
      if (stop.aborted) return;
      askedAt = performance.now();
    }
    const term = new Term(await nextEpoch(client, environment), askedAt);
    lost.signal.addEventListener('abort', () => term.end());
    log.info({ environment, epoch: `${term.epoch}` }, 'indexer leads');
    const finished = new AbortController();
    const leading = lead(stop, term).finally(() => finished.abort());
    const over = AbortSignal.any([finished.signal, lost.signal]);
    const [confirming] = await Promise.allSettled([
      confirmRepeatedly({ client, environment, checkMs }, term, over),
    ]);
    if (!finished.signal.aborted) lost.abort();
    if (confirming.status === 'rejected' && confirming.reason instanceof NoAnswer) onNoAnswer();
    if (!(await settledWithin([leading], lastWorkMs))) {
      log.error({ environment }, 'work of a lost leadership does not end');
      throw new LeadershipLost();
    }
    if (confirming.status === 'rejected') throw confirming.reason;
    await leading;
  } finally {
    // The server may never confirm the end of the connection.
    await Promise.race([client.end(), pause(DISCONNECT_TIMEOUT_MS, new AbortController().signal)]);
  }
}

/**
 * Asks the session at an interval until `over` aborts. Rejects if it does not answer, or if a later
 * term has begun.
 */
async function confirmRepeatedly(
  {
    client,
    environment,
    checkMs,
  }: Pick<LeadershipOptions, 'environment' | 'checkMs'> & { readonly client: BoundedClient },
  term: Term,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await pause(checkMs, over);
    if (over.aborted) return;
    const askedAt = performance.now();
    const epoch = await readEpoch(client, environment);
    if (over.aborted) return;
    // A timeline of the database has begun, or another process leads.
    if (epoch !== null && epoch > term.epoch) throw new LeadershipLost();
    term.confirm(askedAt);
  }
}

async function takeLock(client: BoundedClient, environment: Environment): Promise<boolean> {
  const lock = tryAdvisoryLock('indexer', LOCK_PART[environment]);
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`);
  return rows[0]?.taken === true;
}

/** The newest term of the environment; null before the first position was stored. */
async function readEpoch(client: BoundedClient, environment: Environment): Promise<bigint | null> {
  const { rows } = await client.query<{ epoch: string }>(
    'SELECT "epoch" FROM "StreamPosition" WHERE "environment" = $1',
    [environment],
  );
  return rows[0] ? BigInt(rows[0].epoch) : null;
}

/** Raises the epoch, so that earlier leaders cannot write the position any more. */
async function nextEpoch(client: BoundedClient, environment: Environment): Promise<bigint> {
  const { rows } = await client.query<{ epoch: string }>(
    `UPDATE "StreamPosition" SET "epoch" = "epoch" + 1 WHERE "environment" = $1 RETURNING "epoch"`,
    [environment],
  );
  // Without a row nothing was ever mirrored, and the first position is inserted with its epoch.
  return BigInt(rows[0]?.epoch ?? 1);
}
