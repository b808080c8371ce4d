import type { RetrySettings } from '../../accounts/merchant/retry-settings.ts';

/** The step after failure number `failureCount`: a retry after a delay, or expiry. */
export function afterFailure(
  settings: RetrySettings,
  failureCount: number,
): { readonly kind: 'expire' } | { readonly kind: 'retry'; readonly delaySeconds: number } {
  if (failureCount >= settings.maxFailures) return { kind: 'expire' };
  const delays = settings.retryDelaysSeconds;
  return { kind: 'retry', delaySeconds: delays[Math.min(failureCount, delays.length) - 1] ?? 0 };
}
