import type { RetrySettings } from '../../accounts/merchant/retry-settings.ts';

/** The time of the last attempt for a payment that first failed at `failedAt`. */
export function lastAttemptAt(failedAt: Date, { maxFailures, retryDelaysSeconds }: RetrySettings): Date {
  let seconds = 0;
  for (let failures = 1; failures < maxFailures; failures += 1) {
    // The last delay repeats.
    seconds += retryDelaysSeconds[Math.min(failures, retryDelaysSeconds.length) - 1] ?? 0;
  }
  return new Date(failedAt.getTime() + seconds * 1000);
}
