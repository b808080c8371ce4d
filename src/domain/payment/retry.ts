/** How a merchant wants failed payments treated. */
export interface RetrySettings {
  /** Consecutive failures after which the subscription expires; the scheduled attempt counts too. */
  readonly maxFailures: number;
  /** Wait after the first, second, ... failure; the last one repeats. */
  readonly retryDelaysSeconds: readonly number[];
}

/** spec.md: retries after 1, 5 and 30 minutes, expired at the third failure. */
export const DEFAULT_RETRY_SETTINGS: RetrySettings = { maxFailures: 3, retryDelaysSeconds: [60, 300, 1800] };

/** What follows the failure that brought the count to `failureCount`. */
export function afterFailure(
  settings: RetrySettings,
  failureCount: number,
): { readonly kind: 'expire' } | { readonly kind: 'retry'; readonly delaySeconds: number } {
  if (failureCount >= settings.maxFailures) return { kind: 'expire' };
  const delays = settings.retryDelaysSeconds;
  return { kind: 'retry', delaySeconds: delays[Math.min(failureCount, delays.length) - 1] ?? 0 };
}
