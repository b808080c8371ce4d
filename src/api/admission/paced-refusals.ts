import { FairQueues, type FairQueuesOptions } from './fair-queues.ts';

/** Refusals per millisecond, of all callers, so that they use only a part of the processor. */
const A_MILLISECOND = 2;
/** Maximum refusals at once after a pause. */
const IN_ONE_GO = 10;
const POLL_INTERVAL_MS = 5;

/**
 * Refuses callers in turn, at a limited rate. Until a request is answered, its connection cannot
 * send another, so a flooding caller is slowed down and others are not.
 */
export class PacedRefusals {
  readonly #queues: FairQueues<() => void>;
  #isClosed = false;
  #credit = IN_ONE_GO;
  #at = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueuesOptions) {
    this.#queues = new FairQueues(options);
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /**
   * Calls `refuse` when it is the caller's turn. Returns false if too many wait: it will not be
   * called. `drop` is called later if it is removed to make room for another caller.
   */
  add(caller: string, refuse: () => void, drop: () => void): boolean {
    if (this.#isClosed || (this.#queues.size === 0 && this.#mayGo())) {
      refuse();
      return true;
    }
    if (!this.#queues.add(caller, { work: refuse, drop })) return false;
    this.#timer ??= setInterval(() => this.#goOn(), POLL_INTERVAL_MS).unref();
    return true;
  }

  /** Refuses all that wait, and from now on everything at once, because the process ends. */
  close(): void {
    this.#isClosed = true;
    while (this.#queues.size > 0) this.#queues.next()?.work();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #mayGo(): boolean {
    const now = performance.now();
    this.#credit = Math.min(IN_ONE_GO, this.#credit + (now - this.#at) * A_MILLISECOND);
    this.#at = now;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }

  #goOn(): void {
    while (this.#queues.size > 0 && this.#mayGo()) this.#queues.next()?.work();
    if (this.#queues.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
