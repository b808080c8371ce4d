import { FairQueues } from './fair-queues.ts';

export interface LaneOptions {
  /** Maximum running work. */
  readonly maxRunning: number;
  /** Maximum running work of one caller. */
  readonly maxRunningPerCaller: number;
  /** Maximum waiting work of one caller, and of all callers. */
  readonly maxWaitingPerCaller: number;
  readonly maxWaiting: number;
  /** Time after which running work no longer counts: it probably waits for another service. */
  readonly countsForMs: number;
  /**
   * Whether running work waits for a scarce resource, for example a database connection. As long as
   * it does, running work still counts after `countsForMs`, until `deadlineMs`.
   */
  readonly isHeld?: () => boolean;
  /** Time after which running work no longer counts in any case; default `countsForMs`. */
  readonly deadlineMs?: number;
}

/** Frees the capacity of one piece of work. Further calls do nothing. */
export type Leave = () => void;
type Work = (leave: Leave) => void;

/**
 * Limits running work. Callers take turns, so that a caller with much waiting work delays only
 * itself.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #queues: FairQueues<Work>;
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  #isFilling = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#queues = new FairQueues({
      maxPerCaller: options.maxWaitingPerCaller,
      maxTotal: options.maxWaiting,
    });
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /**
   * Runs work when the caller's turn comes. Returns false if too much work waits: it will not run.
   * `drop` is called if the waiting work is removed later to make room for another caller.
   */
  enter(caller: string, work: Work, drop: () => void): boolean {
    if (!this.#queues.has(caller) && this.#hasCapacityFor(caller)) {
      this.#run(caller, work);
      return true;
    }
    return this.#queues.add(caller, { work, drop });
  }

  #hasCapacityFor(caller: string): boolean {
    const { maxRunning, maxRunningPerCaller } = this.#options;
    return this.#runningCount < maxRunning && (this.#running.get(caller) ?? 0) < maxRunningPerCaller;
  }

  #run(caller: string, work: Work): void {
    this.#runningCount += 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    let isCounted = true;
    const leave = () => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(timer);
      this.#free(caller);
    };
    const { countsForMs, isHeld, deadlineMs = countsForMs } = this.#options;
    const deadline = performance.now() + deadlineMs;
    const end = () => {
      if (isHeld?.() && performance.now() < deadline) timer = setTimeout(end, countsForMs).unref();
      else leave();
    };
    let timer = setTimeout(end, countsForMs).unref();
    work(leave);
  }

  #free(caller: string): void {
    this.#runningCount -= 1;
    // Work that ends at once frees its capacity while this loop runs: no second loop may start.
    const remaining = (this.#running.get(caller) ?? 1) - 1;
    if (remaining > 0) this.#running.set(caller, remaining);
    else this.#running.delete(caller);
    this.#fill();
  }

  #fill(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    while (this.#fillOne());
    this.#isFilling = false;
  }

  #fillOne(): boolean {
    if (this.#runningCount >= this.#options.maxRunning || this.#queues.size === 0) return false;
    const next = this.#queues.next((caller) => this.#hasCapacityFor(caller));
    if (!next) return false;
    this.#run(next.caller, next.work);
    return true;
  }
}
