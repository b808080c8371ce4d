import { FairQueues, type FairQueuesOptions } from './fair-queues.ts';

/** Refusals per millisecond, of all callers, so that they use only a part of the processor. */
const REFUSALS_PER_MS = 2;
/** Maximum refusals at once after a pause. */
const MAX_AT_ONCE = 10;
const POLL_INTERVAL_MS = 5;

/**
 * Refuses callers in turn, at a limited rate. Until a request is answered, its connection cannot
 * send another, so a flooding caller is slowed down and others are not.
 */
export class PacedRefusals {
  readonly #queues: FairQueues<() => void>;
  #isClosed = false;
  #credit = MAX_AT_ONCE;
  #creditedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueuesOptions) {
    this.#queues = new FairQueues(options);
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /**
   * Calls `refuse` when the caller's turn comes. Returns false if too many refusals wait: `refuse`
   * will not be called. `drop` is called if the refusal is removed later to make room for another
   * caller.
   */
  add(caller: string, refuse: () => void, drop: () => void): boolean {
    if (this.#isClosed || (this.#queues.size === 0 && this.#mayRefuse())) {
      refuse();
      return true;
    }
    if (!this.#queues.add(caller, { work: refuse, drop })) return false;
    this.#timer ??= setInterval(() => this.#refuseWaiting(), POLL_INTERVAL_MS).unref();
    return true;
  }

  /** Refuses all waiting requests, and later ones at once, because the process ends. */
  close(): void {
    this.#isClosed = true;
    while (this.#queues.size > 0) this.#queues.next()?.work();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #mayRefuse(): boolean {
    const now = performance.now();
    this.#credit = Math.min(MAX_AT_ONCE, this.#credit + (now - this.#creditedAt) * REFUSALS_PER_MS);
    this.#creditedAt = now;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }

  #refuseWaiting(): void {
    while (this.#queues.size > 0 && this.#mayRefuse()) this.#queues.next()?.work();
    if (this.#queues.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
