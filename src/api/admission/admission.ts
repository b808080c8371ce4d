import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { type AdmissionRefusal, countAdmissionRefusal } from '../../observability/metrics/counters.ts';
import { type Credentials, credentialsOf } from '../access/authenticate.ts';
import { callerAddress, networkOf } from '../access/caller-address.ts';
import { type CallerTrust, type PerTrust, perTrust } from '../access/caller-trust.ts';
import { checkoutPolicy, type RateVerdict } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { ConnectionRequests } from './connection-requests.ts';
import { hasCredentials, KnownCallers, type SessionOf } from './known-callers.ts';
import { Lane, type LaneOptions, type Leave } from './lane.ts';
import { OpenRequests, type OpenRequestsOptions } from './open-requests.ts';
import { ProbeAllowance } from './probe-allowance.ts';
import { busyVerdict, pathOf, refusePlainly } from './refuse-plainly.ts';
import { limitPieces } from './request-body.ts';
import { MAX_UNREAD_BYTES, UnreadAnswers } from './unread-answers.ts';

/**
 * Limits for callers whose credential was valid recently. All 1,000 requests that API keys may send
 * in a minute can wait at once.
 */
const PROVEN = {
  maxRunning: 64,
  maxRunningPerCaller: 32,
  maxWaitingPerCaller: 1_000,
  maxWaiting: 4_000,
  countsForMs: 1_000,
};
/**
 * Limits for strangers, and the same again for unverified callers. They have little capacity, so
 * that most of the process serves proven callers.
 */
const STRANGERS = {
  maxRunning: 16,
  maxRunningPerCaller: 16,
  maxWaitingPerCaller: 200,
  maxWaiting: 2_000,
  countsForMs: 250,
  deadlineMs: 10_000,
};
const LANES: PerTrust<LaneOptions> = { proven: PROVEN, unverified: STRANGERS, stranger: STRANGERS };
const CLOSE_AFTER_MS = 1_000;
/** Maximum bytes of request bodies in memory, of all requests. */
const MAX_BODY_BYTES = 67_108_864;

export interface AdmissionOptions extends OpenRequestsOptions {
  /** Maximum bytes of unread responses, of all connections. */
  readonly maxUnreadBytes: number;
  /** Reads the member session of a `Cookie` header; the default is the whole header. */
  readonly sessionOf: SessionOf;
  /** Number of queries of callers with this trust level that wait for a database connection. */
  readonly queriesWaiting: (trust: CallerTrust) => number;
}

const OPTIONS: AdmissionOptions = {
  maxOpenRequests: 8_000,
  maxOpenRequestsPerCaller: 1_000,
  maxBodyBytes: MAX_BODY_BYTES,
  maxUnreadBytes: MAX_UNREAD_BYTES,
  sessionOf: (cookie) => cookie,
  queriesWaiting: () => 0,
};

/** Admits or refuses requests. docs/decisions/0022-admission.md describes it. */
export class Admission {
  readonly knownCallers: KnownCallers;
  readonly lanes: PerTrust<Lane>;
  readonly #limits: RateLimits;
  readonly #proxies: BlockList;
  readonly #probes = new ProbeAllowance();
  readonly #connections = new WeakMap<Socket, ConnectionRequests>();
  readonly #closed = new WeakSet<Socket>();
  readonly #unread: UnreadAnswers;
  readonly #openRequests: OpenRequests;
  readonly #uncounted = new WeakSet<IncomingMessage>();
  #isClosing = false;

  constructor(limits: RateLimits, proxies: BlockList, options: Partial<AdmissionOptions> = {}) {
    const { maxUnreadBytes, sessionOf, queriesWaiting, ...openRequests } = { ...OPTIONS, ...options };
    this.knownCallers = new KnownCallers(sessionOf);
    this.#limits = limits;
    this.#proxies = proxies;
    this.#openRequests = new OpenRequests(openRequests);
    this.#unread = new UnreadAnswers(maxUnreadBytes);
    this.lanes = perTrust((trust) => new Lane({ ...LANES[trust], isHeld: () => queriesWaiting(trust) > 0 }));
  }

  get openRequests(): number {
    return this.#openRequests.requests;
  }

  /** Bytes of request bodies in memory. */
  get bodyBytes(): number {
    return this.#openRequests.bodyBytes;
  }

  /** Whether a request was admitted without being counted. */
  isUncounted(incoming: IncomingMessage): boolean {
    return this.#uncounted.has(incoming);
  }

  /** The trust level of a caller with these credentials. */
  trustOf(credentials: Credentials): CallerTrust {
    return this.knownCallers.find(credentials) === undefined ? trustOfUnproven(credentials) : 'proven';
  }

  /** Refuses all requests from now on. */
  close(): void {
    this.#isClosing = true;
  }

  /** Answers a request with `answer` when its turn comes, or refuses it. */
  admit(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer): void {
    const { socket } = incoming;
    // The parser reads on in the bytes that it has, even if the connection is closed for excess.
    if (this.#closed.has(socket)) return;
    const network = networkOf(this.addressOf(incoming));
    // Checked first: a health probe must be answered under any load.
    const isFreeProbe = this.#probes.takes(incoming, network);
    if (isFreeProbe) this.#uncounted.add(incoming);
    const credentials = credentialsOf(incoming);
    const known = this.knownCallers.find(credentials);
    const origin: Origin = { network, known, credentials, isFreeProbe };
    const caller = known ?? network;
    const isProven = known !== undefined;
    const connection = this.#connectionOf(socket);
    const hasRoom = () => isFreeProbe || this.#openRequests.hasRoom(caller, isProven);
    if (this.#isClosing || connection.isFull || !hasRoom()) {
      this.#close(socket);
      return;
    }
    let leave: Leave | undefined;
    const openRequest = this.#openRequests.add(caller, isProven, () => this.#close(socket));
    limitPieces(incoming, {
      onRead: (bytes) => openRequest.addBodyBytes(bytes),
      onTooMany: () => this.#close(socket),
    });
    connection.add(outgoing, {
      begin: () => {
        leave = this.#begin(incoming, outgoing, origin, answer);
      },
      end: () => {
        openRequest.release();
        leave?.();
      },
    });
  }

  /**
   * Begins a request. Returns a function that frees its capacity when the connection closes early.
   */
  #begin(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { network, known, credentials, isFreeProbe }: Origin,
    answer: Answer,
  ): Leave | undefined {
    const { socket } = incoming;
    this.#unread.watch(outgoing);
    if (isFreeProbe) {
      answer('proven');
      return undefined;
    }
    const caller = known ?? network;
    const policy = checkoutPolicy(incoming.method, pathOf(incoming)) ?? this.#limits.policyOf(caller);
    const isCertain = known !== undefined || !hasCredentials(credentials);
    const refused = isCertain && !isRefusedByRouter(incoming) && this.#limits.recall(policy, caller);
    if (refused) {
      refuse(incoming, outgoing, refused, 'limit');
      return undefined;
    }
    let leave: Leave | undefined;
    const trust = known === undefined ? trustOfUnproven(credentials) : 'proven';
    const refuseAsBusy = () => refuse(incoming, outgoing, busyVerdict(policy), 'busy');
    const begin = (granted: Leave) => {
      leave = granted;
      if (socket.destroyed) {
        granted();
        return;
      }
      answer(trust);
    };
    if (!this.lanes[trust].enter(caller, begin, refuseAsBusy)) refuseAsBusy();
    // Frees its capacity at the first byte of the response. The body of the request was read by
    // then, and the response of a live stream has no end.
    const writeHead = outgoing.writeHead.bind(outgoing) as ServerResponse['writeHead'];
    outgoing.writeHead = ((...head: Parameters<typeof writeHead>) => {
      leave?.();
      return writeHead(...head);
    }) as ServerResponse['writeHead'];
    return () => leave?.();
  }

  /**
   * Closes a connection after a delay, without reading from it. Without the delay, a flooding
   * caller would open its next connection at once, which costs more.
   */
  #close(socket: Socket): void {
    if (this.#closed.has(socket)) return;
    this.#closed.add(socket);
    countAdmissionRefusal('closed');
    // Node resumes the connection at the end of each request.
    socket.on('resume', () => socket.pause()).pause();
    setTimeout(() => socket.destroy(), this.#isClosing ? 0 : CLOSE_AFTER_MS).unref();
  }

  #connectionOf(socket: Socket): ConnectionRequests {
    const connection = this.#connections.get(socket) ?? new ConnectionRequests(socket);
    this.#connections.set(socket, connection);
    return connection;
  }

  /** The address of the caller. */
  addressOf({ socket, headers }: IncomingMessage): string {
    return callerAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString(), this.#proxies);
  }
}

/** Facts about the caller of a request that need no lookup. */
interface Origin {
  readonly network: string;
  /**
   * The rate-limit key of the caller; undefined unless its credential was valid recently.
   */
  readonly known: string | undefined;
  readonly credentials: Credentials;
  readonly isFreeProbe: boolean;
}

/** Answers a request of a caller with this trust level. */
type Answer = (trust: CallerTrust) => unknown;

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  verdict: RateVerdict,
  reason: AdmissionRefusal,
): void {
  countAdmissionRefusal(reason);
  refusePlainly(incoming, outgoing, verdict);
}

function trustOfUnproven(credentials: Credentials): CallerTrust {
  return hasCredentials(credentials) ? 'unverified' : 'stranger';
}

/**
 * Whether the router must refuse a request over the limit itself: pages of checkouts and payment
 * links, which have an error page, and CORS preflights.
 */
function isRefusedByRouter({ method, url = '' }: IncomingMessage): boolean {
  if (method === 'OPTIONS' || url.startsWith('/pay/')) return true;
  return method !== 'POST' && url.startsWith('/checkout/');
}
