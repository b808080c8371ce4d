import { keepNewest } from '../../async/keep-newest.ts';
import { type Counted, type RatePolicy, type RateVerdict, verdictOf } from './rate-limit.ts';

/** Maximum remembered windows; the oldest entry is removed first. */
export const MAX_REMEMBERED = 20_000;

interface FullWindow {
  readonly verdict: RateVerdict;
  /** Number of requests that still fit. */
  readonly room: number;
  /** No request leaves the window before this time of the process's monotonic clock. */
  readonly untilMs: number;
}

/**
 * Remembers full windows, so that refusals need no call of the store. The result is exact: a window
 * that any process has found full stays full until its oldest request leaves.
 */
export class FullWindows {
  readonly #windows = new Map<string, FullWindow>();

  get size(): number {
    return this.#windows.size;
  }

  /** @param askedAtMs time at which the count was requested; the count is not older */
  note(policy: RatePolicy, caller: string, counted: Counted, askedAtMs: number): void {
    const room = policy.limit - counted.used;
    if (counted.allowed && room > 0) return;
    const key = `${policy.name}/${caller}`;
    const verdict = verdictOf(policy, { ...counted, allowed: false });
    const window = { verdict, room, untilMs: askedAtMs + verdict.resetInMs };
    keepNewest(this.#windows, key, window, MAX_REMEMBERED);
  }

  /** Returns the known refusal of `count` requests; undefined if the store must count them. */
  recall(policy: RatePolicy, caller: string, count: number): RateVerdict | undefined {
    const key = `${policy.name}/${caller}`;
    const window = this.#windows.get(key);
    if (!window) return undefined;
    const resetInMs = window.untilMs - performance.now();
    if (resetInMs <= 0) {
      this.#windows.delete(key);
      return undefined;
    }
    return count > window.room ? { ...window.verdict, resetInMs } : undefined;
  }
}
