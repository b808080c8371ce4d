/** A merchant's settings for failed payments. */
export interface RetrySettings {
  /**
   * Consecutive failures after which the subscription expires; the scheduled attempt counts too.
   */
  readonly maxFailures: number;
  /** Wait after the first, second, ... failure; the last one repeats. */
  readonly retryDelaysSeconds: readonly number[];
}

/** spec.md: retries after 1, 5 and 30 minutes, expired at the third failure. */
export const DEFAULT_RETRY_SETTINGS: RetrySettings = { maxFailures: 3, retryDelaysSeconds: [60, 300, 1800] };
