const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the 1st, 2nd ... failed try; the first try is made at once. 75 hours and a half in all. */
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
/** A receiver that asks for more is asked again after this. */
const MAX_ASKED_MS = 24 * HOUR;

export interface FailedTry {
  /** Failed tries so far, this one included. */
  readonly failures: number;
  /** 0 to 1: stretches the wait by up to a tenth, so that the deliveries of one outage do not come back all at once. */
  readonly jitter: number;
  /** What the receiver asked for in `Retry-After`; null where it asked for nothing. */
  readonly retryAfterMs: number | null;
}

/**
 * How long to wait after a failed try, or undefined where it is given up. A receiver can ask for more than the schedule,
 * up to a day, but not for less: tries that come sooner would be used up before an outage of three days is over.
 */
export function retryDelayMs({ failures, jitter, retryAfterMs }: FailedTry): number | undefined {
  const delayMs = DELAYS_MS[failures - 1];
  if (delayMs === undefined) return undefined;
  return Math.max(Math.round(delayMs * (1 + jitter / 10)), Math.min(retryAfterMs ?? 0, MAX_ASKED_MS));
}
