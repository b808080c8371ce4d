import { performance } from 'node:perf_hooks';
import type { Pace } from './lane.ts';

export interface LoopPaceOptions {
  /** Minimum and maximum work that may begin per second. */
  readonly min: number;
  readonly max: number;
  /** Use of the event loop, 0 to 1, above which less work may begin. */
  readonly busy: number;
}

const POLL_INTERVAL_MS = 50;
/** Factors by which the rate falls while the loop is too busy, and rises when it is not. */
const SLOWER = 0.75;
const FASTER = 1.25;
/** Unused permissions expire after this time. */
const PERMISSION_LIFETIME_MS = 20;

/** Returns a function that measures the use of the event loop since its last call, 0 to 1. */
export function loopUse(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/**
 * A pace that keeps the event loop partly idle: while it is too busy, the rate falls to a minimum.
 * Node accepts one new connection per listener and turn of its loop, so long turns delay all new
 * connections.
 */
export class LoopPace implements Pace {
  readonly #options: LoopPaceOptions;
  readonly #use: () => number;
  #perSecond: number;
  #credit = 1;
  #creditedAt = performance.now();
  #adjustedAt = performance.now();

  constructor(options: LoopPaceOptions, use: () => number = loopUse()) {
    this.#options = options;
    this.#use = use;
    this.#perSecond = options.max;
  }

  /** The current rate per second. */
  get perSecond(): number {
    return this.#perSecond;
  }

  take(): boolean {
    const now = performance.now();
    this.#adjustRate(now);
    const max = Math.max(1, (this.#perSecond * PERMISSION_LIFETIME_MS) / 1_000);
    this.#credit = Math.min(max, this.#credit + ((now - this.#creditedAt) / 1_000) * this.#perSecond);
    this.#creditedAt = now;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }

  returnPermission(): void {
    this.#credit += 1;
  }

  callLater(call: () => void): void {
    const missing = Math.max(0, 1 - this.#credit);
    setTimeout(call, Math.ceil((missing / this.#perSecond) * 1_000)).unref();
  }

  /**
   * Adjusts the rate for the time since the last call, so that an old rate does not slow new work.
   */
  #adjustRate(now: number): void {
    const times = Math.floor((now - this.#adjustedAt) / POLL_INTERVAL_MS);
    if (times < 1) return;
    this.#adjustedAt = now;
    const { min, max, busy } = this.#options;
    const factor = this.#use() > busy ? SLOWER : FASTER ** Math.min(times, 100);
    this.#perSecond = Math.min(max, Math.max(min, this.#perSecond * factor));
  }
}
