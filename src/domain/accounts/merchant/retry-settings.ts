/** A merchant's settings for failed payments. */
export interface RetrySettings {
  /**
   * Consecutive failures after which the subscription expires; the scheduled attempt counts too.
   */
  readonly maxFailures: number;
  /** Wait after the first, second, ... failure; the last one repeats. */
  readonly retryDelaysSeconds: readonly number[];
  /** Seconds from the due date of a failed payment during which an expired subscription keeps access. */
  readonly graceSeconds: number;
}

/** spec.md: retries after 1, 5 and 30 minutes, expired at the third failure, and no access from then on. */
export const DEFAULT_RETRY_SETTINGS: RetrySettings = {
  maxFailures: 3,
  retryDelaysSeconds: [60, 300, 1800],
  graceSeconds: 0,
};
