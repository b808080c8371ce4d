import type { PlanRetries } from '../../accounts/merchant/retry-settings.ts';

/** The step after a failure: a retry after a delay, expiry, or waiting for a top-up or the next payment. */
export type FailureStep =
  | { readonly kind: 'expire' | 'wait' }
  | { readonly kind: 'retry'; readonly delaySeconds: number };

/** The step after failure number `failureCount`. */
export function afterFailure(settings: PlanRetries, failureCount: number): FailureStep {
  if (failureCount >= settings.maxFailures) return { kind: settings.isUntilPaid ? 'wait' : 'expire' };
  const delays = settings.retryDelaysSeconds;
  return { kind: 'retry', delaySeconds: delays[Math.min(failureCount, delays.length) - 1] ?? 0 };
}
