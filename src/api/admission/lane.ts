import { FairQueues } from './fair-queues.ts';

export interface LaneOptions {
  /** Maximum running work. */
  readonly atOnce: number;
  /** Maximum running work of one caller. */
  readonly ofOne: number;
  /** Maximum waiting work of one caller, and of all. */
  readonly waitingOfOne: number;
  readonly waitingOfAll: number;
  /** After this time the place of running work is freed: the work waits for something else. */
  readonly leaseMs: number;
  /** Whether work waits for a scarce resource: places are then kept longer, until the deadline. */
  readonly isHeld?: () => boolean;
  readonly deadlineMs?: number;
  /** How fast work may begin; without it, as soon as there is a place. */
  readonly pace?: Pace;
}

/** Limits how fast work begins. */
export interface Pace {
  /** Takes the permission to begin one piece of work. Returns false if it is too soon. */
  take(): boolean;
  /** Returns an unused permission. */
  giveBack(): void;
  /** Calls back once when work may begin again. */
  later(call: () => void): void;
}

/** Frees a place. Further calls do nothing. */
export type Leave = () => void;
type Work = (leave: Leave) => void;

/**
 * Limits running work. Callers take turns, so a caller with much waiting work delays only itself.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #queues: FairQueues<Work>;
  readonly #running = new Map<string, number>();
  #places = 0;
  #isFilling = false;
  #isFillingLater = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#queues = new FairQueues({ ofOne: options.waitingOfOne, ofAll: options.waitingOfAll });
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /**
   * Runs work when it is the caller's turn. Returns false if too much waits: it will not run.
   * `drop` is called later if it is removed to make room for another caller.
   */
  enter(caller: string, work: Work, drop: () => void): boolean {
    if (!this.#queues.has(caller) && this.#hasPlaceFor(caller) && this.#mayBegin()) {
      this.#run(caller, work);
      return true;
    }
    return this.#queues.add(caller, { work, drop });
  }

  /** Continues later if the pace does not permit work to begin now. */
  #mayBegin(): boolean {
    const { pace } = this.#options;
    if (!pace || pace.take()) return true;
    if (!this.#isFillingLater) {
      this.#isFillingLater = true;
      pace.later(() => {
        this.#isFillingLater = false;
        this.#fill();
      });
    }
    return false;
  }

  #hasPlaceFor(caller: string): boolean {
    const { atOnce, ofOne } = this.#options;
    return this.#places < atOnce && (this.#running.get(caller) ?? 0) < ofOne;
  }

  #run(caller: string, work: Work): void {
    this.#places += 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    let hasPlace = true;
    const leave = () => {
      if (!hasPlace) return;
      hasPlace = false;
      clearTimeout(lease);
      this.#giveBack(caller);
    };
    const { leaseMs, isHeld, deadlineMs = leaseMs, pace } = this.#options;
    const deadline = performance.now() + deadlineMs;
    const end = () => {
      if (isHeld?.() && performance.now() < deadline) lease = setTimeout(end, leaseMs).unref();
      else leave();
    };
    let lease = setTimeout(end, leaseMs).unref();
    work(leave);
    if (!hasPlace) pace?.giveBack();
  }

  #giveBack(caller: string): void {
    this.#places -= 1;
    // Work that ends at once frees its place while this loop runs: it must not start a second loop.
    const left = (this.#running.get(caller) ?? 1) - 1;
    if (left > 0) this.#running.set(caller, left);
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
    if (this.#places >= this.#options.atOnce || this.#queues.size === 0) return false;
    if (!this.#mayBegin()) return false;
    const next = this.#queues.next((caller) => this.#hasPlaceFor(caller));
    if (!next) {
      this.#options.pace?.giveBack();
      return false;
    }
    this.#run(next.caller, next.work);
    return true;
  }
}
