import type { Db } from '../../db/db.ts';
import { BUSY_MS, type Counted, type RateCounter, type RatePolicy } from './rate-limit.ts';

/**
 * Maximum requests of one caller that wait to be counted. Further requests are refused without a
 * count.
 */
export const MAX_WAITING = 200;
/** Maximum callers per call of the store, which keeps a call short. */
const CALLERS_PER_CALL = 32;
const MAX_CONCURRENT_CALLS = 4;

/** Requests of one caller of which all or none are counted. */
export interface CountRequest {
  /** The policy and the caller. */
  readonly key: string;
  readonly count: number;
  readonly windowMs: number;
  readonly limit: number;
}

/** The store that counts the requests of all processes. */
export interface CountStore {
  /**
   * Counts all or none of the requests of each entry. Results are in the order of the entries; keys
   * must be unique.
   */
  takeAll(requests: readonly CountRequest[]): Promise<readonly Counted[]>;
  /** The same store with other database connections, if the store is the database. */
  beside?(db: Db): CountStore;
  close(): Promise<void>;
}

interface WaitingRequest {
  readonly count: number;
  resolve(counted: Counted): void;
  reject(error: unknown): void;
}

/** The queue of one caller under one policy. */
interface CallerQueue {
  readonly key: string;
  readonly policy: RatePolicy;
  readonly waiting: WaitingRequest[];
  /**
   * Number of requests that may still fit: the limit or, after a group did not fit, the number that
   * the store reported.
   */
  room: number;
}

/**
 * Counts the requests of each caller in its own queue, so that no caller waits for another. The
 * requests in a queue are counted together, so that a long queue takes few calls. A queue takes
 * part in one call at a time.
 */
export class CallerQueues implements RateCounter {
  readonly #store: CountStore;
  /** Queues that wait for a call, the one that has waited longest first. */
  readonly #ready = new Map<string, CallerQueue>();
  readonly #inCall = new Map<string, CallerQueue>();
  #calls = 0;
  #isStarting = false;

  constructor(store: CountStore) {
    this.#store = store;
  }

  take(policy: RatePolicy, caller: string, count: number): Promise<Counted> {
    const key = `${policy.name}/${caller}`;
    const queue = this.#inCall.get(key) ?? this.#ready.get(key) ?? newQueue(key, policy);
    if (queue.waiting.length >= MAX_WAITING) return Promise.resolve(fullQueueRefusal(policy));
    return new Promise((resolve, reject) => {
      queue.waiting.push({ count, resolve, reject });
      if (!this.#inCall.has(key)) this.#ready.set(key, queue);
      this.#startCallsSoon();
    });
  }

  beside(db: Db): RateCounter {
    return new CallerQueues(this.#store.beside?.(db) ?? this.#store);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Starts calls at the end of the turn of the event loop, so that all its requests share them. */
  #startCallsSoon(): void {
    if (this.#isStarting || this.#calls >= MAX_CONCURRENT_CALLS) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      this.#startCalls();
    });
  }

  #startCalls(): void {
    while (this.#calls < MAX_CONCURRENT_CALLS && this.#ready.size > 0) {
      const queues = [...this.#ready.values()].slice(0, CALLERS_PER_CALL);
      for (const queue of queues) {
        this.#ready.delete(queue.key);
        this.#inCall.set(queue.key, queue);
      }
      void this.#countRequests(queues);
    }
  }

  async #countRequests(queues: readonly CallerQueue[]): Promise<void> {
    this.#calls += 1;
    const groups = queues.map(firstGroup);
    try {
      const requests = queues.map((queue, index) => requestFor(queue, groups[index] as WaitingRequest[]));
      const answers = await this.#store.takeAll(requests);
      for (const [index, queue] of queues.entries()) {
        resolveGroup(queue, groups[index] as WaitingRequest[], answers[index] as Counted);
      }
    } catch (error) {
      for (const { reject } of groups.flat()) reject(error);
    }
    this.#calls -= 1;
    for (const queue of queues) {
      this.#inCall.delete(queue.key);
      if (queue.waiting.length > 0) this.#ready.set(queue.key, queue);
    }
    this.#startCalls();
  }
}

function newQueue(key: string, policy: RatePolicy): CallerQueue {
  return { key, policy, waiting: [], room: policy.limit };
}

/**
 * Removes the requests that are counted together: single ones up to the expected room, or one that
 * counts several.
 */
function firstGroup(queue: CallerQueue): WaitingRequest[] {
  const { waiting, room } = queue;
  const firstMultiple = waiting.findIndex(({ count }) => count !== 1);
  const singles = firstMultiple < 0 ? waiting.length : firstMultiple;
  queue.room = queue.policy.limit;
  return waiting.splice(0, Math.max(1, Math.min(singles, room)));
}

function requestFor(
  { key, policy: { windowMs, limit } }: CallerQueue,
  group: readonly WaitingRequest[],
): CountRequest {
  const count = group.reduce((sum, request) => sum + request.count, 0);
  return { key, count, windowMs, limit };
}

function resolveGroup(queue: CallerQueue, group: WaitingRequest[], counted: Counted): void {
  const { allowed, used } = counted;
  const room = queue.policy.limit - used;
  if (!allowed && (group[0]?.count ?? 0) <= room) {
    // Part of the group fits, or room has become free: the group is counted again.
    queue.waiting.unshift(...group);
    queue.room = room;
    return;
  }
  for (const [index, { resolve }] of group.entries()) {
    resolve(allowed ? { ...counted, used: used - group.length + index + 1 } : counted);
  }
}

/** The refusal of a request whose queue is full. The local clock is exact enough. */
function fullQueueRefusal({ limit, windowMs }: RatePolicy): Counted {
  const at = Date.now();
  return { allowed: false, used: limit, at, oldestAt: at + BUSY_MS - windowMs, isUncounted: true };
}
