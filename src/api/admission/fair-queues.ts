export interface FairQueuesOptions {
  /** Maximum waiting work of one caller, and of all callers. */
  readonly maxPerCaller: number;
  readonly maxTotal: number;
}

/** Waiting work. `drop` is called if the work is removed to make room for another caller. */
export interface Waiting<Work> {
  readonly work: Work;
  readonly drop: () => void;
}

/**
 * Waiting work, in one queue per caller. The callers take turns. If the queues are full, a caller
 * without waiting work can still add work: the newest work of the longest queue is dropped. The
 * caller that sends most can therefore not exclude others.
 */
export class FairQueues<Work> {
  readonly #options: FairQueuesOptions;
  /** Queues by caller, in the order of the callers' turns. */
  readonly #queues = new Map<string, Waiting<Work>[]>();
  #size = 0;

  constructor(options: FairQueuesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  has(caller: string): boolean {
    return this.#queues.has(caller);
  }

  /** Adds work. Returns false, and does not add it, if the queues are full. */
  add(caller: string, waiting: Waiting<Work>): boolean {
    const { maxPerCaller, maxTotal } = this.#options;
    const queue = this.#queues.get(caller);
    if ((queue?.length ?? 0) >= maxPerCaller) return false;
    if (this.#size >= maxTotal && (queue || !this.#makeRoom())) return false;
    this.#size += 1;
    if (queue) queue.push(waiting);
    else this.#queues.set(caller, [waiting]);
    return true;
  }

  /** Takes the next work of the first caller that may begin. That caller moves to the end. */
  next(mayBegin: (caller: string) => boolean = () => true): { caller: string; work: Work } | undefined {
    for (const [caller, queue] of this.#queues) {
      if (!mayBegin(caller)) continue;
      const first = queue.shift();
      this.#queues.delete(caller);
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (!first) return undefined;
      this.#size -= 1;
      return { caller, work: first.work };
    }
    return undefined;
  }

  /** Drops the newest work of the longest queue. Returns false if every queue has at most one. */
  #makeRoom(): boolean {
    let longest: Waiting<Work>[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length < 2) return false;
    this.#size -= 1;
    longest.pop()?.drop();
    return true;
  }
}
