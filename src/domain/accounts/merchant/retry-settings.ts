import type { RetryPolicy } from '../../../generated/prisma/client.ts';
import { DAYS_DELAYS_SECONDS } from '../../catalog/plan/retry-policy.ts';

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

/** How failed payments of one plan are retried. */
export interface PlanRetries extends RetrySettings {
  /** Whether the subscription waits for a top-up after the last failure, instead of expiring. */
  readonly isUntilPaid: boolean;
}

/** The retries of a plan with this policy, in an environment with these settings. */
export function retriesOf(policy: RetryPolicy, environment: RetrySettings): PlanRetries {
  const retries = { ...environment, isUntilPaid: policy === 'UNTIL_PAID' };
  if (policy !== 'DAYS') return retries;
  return {
    ...retries,
    maxFailures: DAYS_DELAYS_SECONDS.length + 1,
    retryDelaysSeconds: DAYS_DELAYS_SECONDS,
  };
}
