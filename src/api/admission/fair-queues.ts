export interface FairQueuesOptions {
  /** Maximum waiting work of one caller, and of all. */
  readonly ofOne: number;
  readonly ofAll: number;
}

/** Waiting work. `drop` is called if it is removed to make room for another caller. */
export interface Waiting<Work> {
  readonly work: Work;
  readonly drop: () => void;
}

/**
 * Waiting work, in a queue per caller. The callers take turns. If it is full, a caller without
 * waiting work is still added: the newest work of the longest queue is dropped. A caller that sends
 * most therefore cannot exclude others.
 */
export class FairQueues<Work> {
  readonly #options: FairQueuesOptions;
  /** In the order of the callers' turns. */
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

  /** Adds work. Returns false if it is full: the work is not added. */
  add(caller: string, waiting: Waiting<Work>): boolean {
    const { ofOne, ofAll } = this.#options;
    const queue = this.#queues.get(caller);
    if ((queue?.length ?? 0) >= ofOne) return false;
    if (this.#size >= ofAll && (queue || !this.#makeRoom())) return false;
    this.#size += 1;
    if (queue) queue.push(waiting);
    else this.#queues.set(caller, [waiting]);
    return true;
  }

  /** Takes the next work of the first caller that may begin. That caller moves to the end. */
  next(mayGo: (caller: string) => boolean = () => true): { caller: string; work: Work } | undefined {
    for (const [caller, queue] of this.#queues) {
      if (!mayGo(caller)) continue;
      const first = queue.shift();
      this.#queues.delete(caller);
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (!first) return undefined;
      this.#size -= 1;
      return { caller, work: first.work };
    }
    return undefined;
  }

  /** Drops the newest work of the longest queue. Returns false if no queue has more than one. */
  #makeRoom(): boolean {
    let longest: Waiting<Work>[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length < 2) return false;
    this.#size -= 1;
    longest.pop()?.drop();
    return true;
  }
}
