import { MAX_PERIOD_HOURS, SECONDS_PER_HOUR } from '../../chain/plan-transactions.ts';
import { invalidRequest } from '../../errors.ts';
import { validText } from '../merchant/valid-text.ts';

/** The largest amount that both the database's and the chain's numbers hold. */
export const MAX_AMOUNT = 2n ** 63n - 1n;
const MAX_TRIAL_SECONDS = 2 * 365 * 24 * SECONDS_PER_HOUR;
/** Characters of a merchant's own id of a plan. */
export const MAX_PLAN_ID = 128;
const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

export interface PlanTerms {
  /** Chosen by the merchant, once per environment. */
  readonly planId: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** In base units of the asset. */
  readonly amount: bigint;
  /** Whole hours, up to a year of them: the program counts hours. */
  readonly intervalSeconds: number;
  /**
   * How long the first payment waits; default 0, it is due at once. Whole hours, as the chain's periods are: payments
   * come that far into a period, and what is left of it must be enough for a transaction to land in.
   */
  readonly trialPeriodSeconds?: number | undefined;
}

/** @throws BillingError invalid_request, param `planId`, `name`, `description`, `amount`, `interval` or `trialPeriodSeconds` */
export function validPlanTerms(terms: PlanTerms) {
  const { planId, name, description, amount, intervalSeconds, trialPeriodSeconds = 0 } = terms;
  if (amount <= 0n || amount > MAX_AMOUNT) {
    throw invalidRequest('amount', `amount must be 1 to ${MAX_AMOUNT} base units of the asset.`);
  }
  const hours = intervalSeconds / SECONDS_PER_HOUR;
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_PERIOD_HOURS) {
    throw invalidRequest(
      'interval',
      `interval must be a whole number of hours in seconds: ${SECONDS_PER_HOUR} to ${MAX_PERIOD_HOURS * SECONDS_PER_HOUR}, in steps of ${SECONDS_PER_HOUR}.`,
    );
  }
  if (
    !Number.isInteger(trialPeriodSeconds / SECONDS_PER_HOUR) ||
    trialPeriodSeconds < 0 ||
    trialPeriodSeconds > MAX_TRIAL_SECONDS
  ) {
    throw invalidRequest(
      'trialPeriodSeconds',
      `trialPeriodSeconds must be a whole number of hours in seconds: 0 to ${MAX_TRIAL_SECONDS}, in steps of ${SECONDS_PER_HOUR}.`,
    );
  }
  return {
    planId: validText('planId', planId, MAX_PLAN_ID),
    name: validText('name', name, MAX_NAME),
    description: description === undefined ? null : validText('description', description, MAX_DESCRIPTION, 0),
    amount,
    intervalSeconds,
    trialPeriodSeconds,
  };
}
