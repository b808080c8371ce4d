import type { RetrySettings } from '../merchant/retry-settings.ts';

/** When a payment whose first failure was at `failedAt` is tried for the last time. */
export function lastAttemptAt(failedAt: Date, { maxFailures, retryDelaysSeconds }: RetrySettings): Date {
  let seconds = 0;
  for (let failures = 1; failures < maxFailures; failures += 1) {
    // The last delay repeats.
    seconds += retryDelaysSeconds[Math.min(failures, retryDelaysSeconds.length) - 1] ?? 0;
  }
  return new Date(failedAt.getTime() + seconds * 1000);
}
