import type { Db } from '../../db/db.ts';
import type { Counted, RateCounter, RatePolicy } from './rate-limit.ts';

/**
 * Maximum requests of one caller that wait to be counted. Further ones are refused without a count.
 */
export const MAX_WAITING = 200;
/** Maximum callers per call of the store, which keeps a call short. */
const CALLERS_PER_CALL = 32;
const MAX_CONCURRENT_CALLS = 4;
/** When a caller whose queue was full may retry. */
const FULL_LINE_MS = 1_000;

/** Requests of one caller that are counted all or not at all. */
export interface CountAsk {
  /** The policy and the caller. */
  readonly key: string;
  readonly count: number;
  readonly windowMs: number;
  readonly limit: number;
}

/** The store that counts the requests of all processes. */
export interface CountStore {
  /**
   * Counts each ask as a whole or not at all. Answers are in the order of the asks; keys must be
   * unique.
   */
  takeAll(asks: readonly CountAsk[]): Promise<readonly Counted[]>;
  /** The same store with other database connections, if the store is the database. */
  beside?(db: Db): CountStore;
  close(): Promise<void>;
}

interface Waiting {
  readonly count: number;
  resolve(counted: Counted): void;
  reject(error: unknown): void;
}

/** The queue of one caller under one policy. */
interface Line {
  readonly key: string;
  readonly policy: RatePolicy;
  readonly waiting: Waiting[];
  /** Free requests, as reported by the store when a group did not fit. */
  room: number;
}

/**
 * Counts the requests of each caller in its own queue, so that no caller waits for another. The
 * requests in a queue are counted together: a queue of any length takes one or two calls. A queue
 * takes part in one call at a time.
 */
export class CallerLines implements RateCounter {
  readonly #store: CountStore;
  /** Queues that wait for a call, the longest waiting first. */
  readonly #ready = new Map<string, Line>();
  readonly #asked = new Map<string, Line>();
  #calls = 0;

  constructor(store: CountStore) {
    this.#store = store;
  }

  take(policy: RatePolicy, caller: string, count: number): Promise<Counted> {
    const key = `${policy.name}/${caller}`;
    const line = this.#asked.get(key) ?? this.#ready.get(key) ?? newLine(key, policy);
    if (line.waiting.length >= MAX_WAITING) return Promise.resolve(fullLine(policy));
    return new Promise((resolve, reject) => {
      line.waiting.push({ count, resolve, reject });
      if (!this.#asked.has(key)) this.#ready.set(key, line);
      this.#call();
    });
  }

  beside(db: Db): RateCounter {
    return new CallerLines(this.#store.beside?.(db) ?? this.#store);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #call(): void {
    while (this.#calls < MAX_CONCURRENT_CALLS && this.#ready.size > 0) {
      const lines = [...this.#ready.values()].slice(0, CALLERS_PER_CALL);
      for (const line of lines) {
        this.#ready.delete(line.key);
        this.#asked.set(line.key, line);
      }
      void this.#ask(lines);
    }
  }

  async #ask(lines: readonly Line[]): Promise<void> {
    this.#calls += 1;
    const groups = lines.map(firstGroup);
    try {
      const asks = lines.map((line, index) => askFor(line, groups[index] as Waiting[]));
      const answers = await this.#store.takeAll(asks);
      for (const [index, line] of lines.entries()) {
        settle(line, groups[index] as Waiting[], answers[index] as Counted);
      }
    } catch (error) {
      for (const { reject } of groups.flat()) reject(error);
    }
    this.#calls -= 1;
    for (const line of lines) {
      this.#asked.delete(line.key);
      if (line.waiting.length > 0) this.#ready.set(line.key, line);
    }
    this.#call();
  }
}

function newLine(key: string, policy: RatePolicy): Line {
  return { key, policy, waiting: [], room: policy.limit };
}

/**
 * Removes the requests that are counted together: single ones up to the expected room, or one ask.
 */
function firstGroup(line: Line): Waiting[] {
  const { waiting, room } = line;
  const other = waiting.findIndex(({ count }) => count !== 1);
  const singles = other < 0 ? waiting.length : other;
  line.room = line.policy.limit;
  return waiting.splice(0, Math.max(1, Math.min(singles, room)));
}

function askFor({ key, policy: { windowMs, limit } }: Line, group: readonly Waiting[]): CountAsk {
  const count = group.reduce((sum, each) => sum + each.count, 0);
  return { key, count, windowMs, limit };
}

function settle(line: Line, group: Waiting[], counted: Counted): void {
  const { allowed, used } = counted;
  const room = line.policy.limit - used;
  if (!allowed && (group[0]?.count ?? 0) <= room) {
    // Part of a group fits, or room became free meanwhile: the group is counted again.
    line.waiting.unshift(...group);
    line.room = room;
    return;
  }
  for (const [index, { resolve }] of group.entries()) {
    resolve(allowed ? { ...counted, used: used - group.length + index + 1 } : counted);
  }
}

/** The refusal of a request that finds its queue full; the local clock is exact enough. */
function fullLine({ limit, windowMs }: RatePolicy): Counted {
  const at = Date.now();
  return { allowed: false, used: limit, at, oldestAt: at + FULL_LINE_MS - windowMs, isUnasked: true };
}
