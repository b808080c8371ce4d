import { MAX_PERIOD_HOURS, SECONDS_PER_HOUR } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { validPlanText } from './plan-texts.ts';

/** The largest amount that both the database and the chain can store. */
export const MAX_AMOUNT = 2n ** 63n - 1n;
const MAX_TRIAL_SECONDS = 2 * 365 * 24 * SECONDS_PER_HOUR;
/** Maximum characters of a merchant's id of a plan. */
export const MAX_PLAN_ID = 128;

export interface PlanTerms {
  /** Chosen by the merchant, unique per environment. */
  readonly planId: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** An https URL. */
  readonly imageUrl?: string | undefined;
  /** Price of one interval, in base units of the token. */
  readonly amount: bigint;
  /** The most that can be collected in one interval, in base units; default: the price. */
  readonly maxAmount?: bigint | undefined;
  /** Whole hours, at most one year, because the program counts hours. */
  readonly intervalSeconds: number;
  /**
   * Seconds until the first payment; default 0. Whole hours, like the chain's periods: payments are
   * due at this offset within a period, and the rest of the period must be long enough for a
   * transaction to land.
   */
  readonly trialPeriodSeconds?: number | undefined;
  /** The most periods for which a customer may pause at a time, from 0 to 12; default 0: not at all. */
  readonly maxPausedPeriods?: number | undefined;
  /** See `validCollectWithin`; default 0. */
  readonly collectWithinSeconds?: number | undefined;
}

/** Maximum periods of one pause, and of one call that gives free periods. */
export const MAX_WAIVED = 12;

/** @throws BillingError invalid_request, param `maxPausedPeriods` */
export function validMaxPaused(periods: number): number {
  if (Number.isInteger(periods) && periods >= 0 && periods <= MAX_WAIVED) return periods;
  throw invalidRequest(
    'maxPausedPeriods',
    `maxPausedPeriods is ${periods}, and must be a whole number from 0 to ${MAX_WAIVED}.`,
  );
}

/** The longest time over which the payments of a due date are spread. */
const MAX_COLLECT_WITHIN_SECONDS = SECONDS_PER_HOUR;
/** The part of the interval that it may take: a tenth leaves the rest for retries. */
const COLLECT_WITHIN_PARTS = 10;

/**
 * Validates the seconds after a due date within which each of its payments is first attempted.
 *
 * @throws BillingError invalid_request, param `collectWithinSeconds`
 */
export function validCollectWithin(seconds: number, intervalSeconds: number): number {
  const max = Math.min(MAX_COLLECT_WITHIN_SECONDS, intervalSeconds / COLLECT_WITHIN_PARTS);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= max) return seconds;
  throw invalidRequest(
    'collectWithinSeconds',
    `collectWithinSeconds is ${seconds}, and must be a whole number from 0 to ${max}: at most an hour, and a tenth of the interval of ${intervalSeconds} seconds.`,
  );
}

/**
 * @throws BillingError invalid_request, param `planId`, `name`, `description`, `imageUrl`, `amount`,
 *   `maxAmount`, `interval`, `trialPeriodSeconds`, `maxPausedPeriods` or `collectWithinSeconds`
 */
export function validPlanTerms(terms: PlanTerms) {
  const { planId, name, description = null, imageUrl = null, ...numbers } = terms;
  const {
    amount,
    maxAmount = amount,
    intervalSeconds,
    trialPeriodSeconds = 0,
    maxPausedPeriods = 0,
    collectWithinSeconds = 0,
  } = numbers;
  if (amount <= 0n || amount > MAX_AMOUNT) {
    throw invalidRequest('amount', `amount must be 1 to ${MAX_AMOUNT} base units of the token.`);
  }
  if (maxAmount < amount || maxAmount > MAX_AMOUNT) {
    throw invalidRequest(
      'maxAmount',
      `maxAmount is ${maxAmount}, and must be from the amount ${amount} to ${MAX_AMOUNT} base units of the token.`,
    );
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
    name: validPlanText.name(name),
    description: validPlanText.description(description),
    imageUrl: validPlanText.imageUrl(imageUrl),
    amount,
    maxAmount,
    periodSeconds: intervalSeconds,
    intervalSeconds,
    trialPeriodSeconds,
    maxPausedPeriods: validMaxPaused(maxPausedPeriods),
    collectWithinSeconds: validCollectWithin(collectWithinSeconds, intervalSeconds),
  };
}
