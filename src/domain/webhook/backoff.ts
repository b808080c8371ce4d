const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the 1st, 2nd ... failed try; the first try is made at once. Over three days in all. */
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

/**
 * How long to wait after so many failed tries, or undefined where it is given up. `jitter` (0 to 1) stretches the wait by
 * up to a tenth, so that the deliveries of one outage do not come back all at once.
 */
export function retryDelayMs(failedTries: number, jitter: number): number | undefined {
  const delayMs = DELAYS_MS[failedTries - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + jitter / 10));
}
