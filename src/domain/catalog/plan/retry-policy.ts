import { SECONDS_PER_HOUR } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan, RetryPolicy } from '../../../generated/prisma/client.ts';

/** The delays of `DAYS`: 1 hour, 6 hours, 1 day, 3 days and 5 days after the failure before. */
export const DAYS_DELAYS_SECONDS = [1, 6, 24, 72, 120].map((hours) => hours * SECONDS_PER_HOUR);

/** From the due date to the last retry of `DAYS`. */
const DAYS_HOURS = DAYS_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / SECONDS_PER_HOUR;
/** The last retry needs time to land, and each attempt takes some. It is also the shortest period. */
const HOURS_TO_LAND = 1;

type Dates = Pick<Plan, 'periodSeconds' | 'trialPeriodSeconds'>;

/**
 * Checks that the last retry of a policy is in the period of its payment. The retries of `QUICK` and
 * `UNTIL_PAID` are settings of the environment, and the last one is made earlier if the period ends.
 *
 * @throws BillingError invalid_request, param `retryPolicy`
 */
export function validRetryPolicy(policy: RetryPolicy, dates: Dates): RetryPolicy {
  const needed = DAYS_HOURS + HOURS_TO_LAND;
  const left = hoursAfterDueDate(dates);
  if (policy !== 'DAYS' || left >= needed) return policy;
  throw invalidRequest(
    'retryPolicy',
    `retryPolicy DAYS needs ${needed} hours from a due date to the end of the plan's period, and this plan has ${left}: QUICK and UNTIL_PAID are allowed.`,
  );
}

/** The hours from a due date to the end of the chain's period, with a trial or without: the shorter time. */
function hoursAfterDueDate({ periodSeconds, trialPeriodSeconds }: Dates): number {
  return (periodSeconds - (trialPeriodSeconds % periodSeconds)) / SECONDS_PER_HOUR;
}
