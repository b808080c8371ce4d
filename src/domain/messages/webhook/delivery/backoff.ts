const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the 1st, 2nd ... failed attempt; the first is made at once. 75.5 hours in total. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Maximum delay that a `Retry-After` can request. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

export interface FailedAttempt {
  /** Failed attempts so far, including this one. */
  readonly failures: number;
  /** 0 to 1: adds up to a tenth to the delay, so that the retries after an outage are spread. */
  readonly jitter: number;
  /** The delay of the response's `Retry-After`; null if it has none. */
  readonly retryAfterMs: number | null;
}

/**
 * The delay after a failed attempt, or undefined if it was the last one. An endpoint can request a
 * longer delay than the schedule's, up to a day, but not a shorter one: the attempts must outlast
 * an outage of three days.
 */
export function retryDelayMs({ failures, jitter, retryAfterMs }: FailedAttempt): number | undefined {
  const delayMs = DELAYS_MS[failures - 1];
  if (delayMs === undefined) return undefined;
  return Math.max(Math.round(delayMs * (1 + jitter / 10)), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
