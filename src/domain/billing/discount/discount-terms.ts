import { invalidRequest } from '../../../errors.ts';
import { MAX_AMOUNT } from '../../catalog/plan/plan-terms.ts';
import { validAddress, validPublicName } from '../../kernel/input/valid-text.ts';

const MAX_NAME = 200;
const MAX_BPS = 10_000;
/** Maximum plans that a discount names. */
const MAX_PLANS = 20;
const MAX_PERIODS = 1_000;
const MAX_COUNT = 1_000_000_000;

/** The letters of a code. Customers read it aloud and type it. */
const CODE = /^[A-Za-z0-9_-]{3,40}$/;

/** What can be changed of a discount. Its value and its duration never change. */
export interface DiscountSettings {
  /** What customers read. */
  readonly name: string;
  readonly isActive: boolean;
  /** From then on nobody gets it; null for no end. Subscriptions that have it keep it. */
  readonly endsAt: Date | null;
  /** Maximum redemptions; null for no maximum. */
  readonly maxRedemptions: number | null;
  readonly maxPerCustomer: number | null;
}

/** New values of settings; omitted ones stay unchanged. */
export type DiscountChanges = { readonly [K in keyof DiscountSettings]?: DiscountSettings[K] | undefined };

export interface DiscountTerms extends DiscountChanges {
  readonly name: string;
  /** What customers enter; none if only the merchant gives the discount. */
  readonly code?: string | undefined;
  /** In hundredths of a percent; needed if there is no `amount`. */
  readonly percentBps?: number | undefined;
  /** In base units of `mint`. */
  readonly amount?: bigint | undefined;
  readonly mint?: string | undefined;
  /** Number of payments that it reduces; default: all. */
  readonly periods?: number | undefined;
  /** The merchant's ids of the plans for which it is; default: all. */
  readonly planIds?: readonly string[] | undefined;
  readonly firstPurchaseOnly?: boolean | undefined;
  readonly startsAt?: Date | undefined;
}

/**
 * Validates the terms of a new discount, without its plans.
 *
 * @throws BillingError invalid_request, with the field as param
 */
export function validDiscountTerms(terms: DiscountTerms) {
  const {
    code,
    percentBps,
    amount,
    mint,
    periods,
    planIds = [],
    startsAt,
    firstPurchaseOnly = false,
  } = terms;
  if (planIds.length > MAX_PLANS) {
    throw invalidRequest(
      'planIds',
      `planIds has ${planIds.length} plans, and at most ${MAX_PLANS} are allowed.`,
    );
  }
  assertEndsAfterStart(startsAt, terms.endsAt);
  return {
    ...validDiscountChanges(terms),
    name: validDiscountName(terms.name),
    code: code === undefined ? null : validCode(code),
    ...validValue({ percentBps, amount, mint }),
    periods: periods === undefined ? null : validCount('periods', periods, MAX_PERIODS),
    firstPurchaseOnly,
    startsAt: startsAt ?? null,
  };
}

/** @throws BillingError invalid_request, param `endsAt` */
export function assertEndsAfterStart(
  startsAt: Date | null | undefined,
  endsAt: Date | null | undefined,
): void {
  if (startsAt && endsAt && endsAt <= startsAt) {
    throw invalidRequest('endsAt', `endsAt is ${endsAt.toISOString()}, and must be after startsAt.`);
  }
}

/**
 * Validates new settings.
 *
 * @throws BillingError invalid_request, with the field as param
 */
export function validDiscountChanges({
  name,
  isActive,
  endsAt,
  maxRedemptions,
  maxPerCustomer,
}: DiscountChanges): DiscountChanges {
  return {
    ...(name !== undefined && { name: validDiscountName(name) }),
    ...(isActive !== undefined && { isActive }),
    ...(endsAt !== undefined && { endsAt }),
    ...(maxRedemptions !== undefined && {
      maxRedemptions:
        maxRedemptions === null ? null : validCount('maxRedemptions', maxRedemptions, MAX_COUNT),
    }),
    ...(maxPerCustomer !== undefined && {
      maxPerCustomer:
        maxPerCustomer === null ? null : validCount('maxPerCustomer', maxPerCustomer, MAX_COUNT),
    }),
  };
}

/** Validates a code that a merchant chooses. @throws BillingError invalid_request, param `code` */
function validCode(code: string): string {
  if (isCode(code)) return code;
  throw invalidRequest('code', 'code must have 3 to 40 characters: letters A to Z, digits, - and _.');
}

/** Whether a text can be a code. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

const validDiscountName = (name: string) => validPublicName('name', name, MAX_NAME);

function validCount(param: string, count: number, max: number): number {
  if (count >= 1 && count <= max) return count;
  throw invalidRequest(param, `${param} is ${count}, and must be from 1 to ${max}.`);
}

function validValue({ percentBps, amount, mint }: Pick<DiscountTerms, 'percentBps' | 'amount' | 'mint'>) {
  if (percentBps !== undefined) {
    if (amount !== undefined)
      throw invalidRequest('amount', 'A discount has a percentBps or an amount, not both.');
    if (mint !== undefined) throw invalidRequest('mint', 'Only a discount with an amount has a mint.');
    return { percentBps: validCount('percentBps', percentBps, MAX_BPS), amount: null, mint: null };
  }
  if (amount === undefined) throw invalidRequest('percentBps', 'A discount needs a percentBps or an amount.');
  if (amount <= 0n || amount > MAX_AMOUNT) {
    throw invalidRequest(
      'amount',
      `amount is ${amount}, and must be from 1 to ${MAX_AMOUNT} base units of the mint.`,
    );
  }
  if (mint === undefined)
    throw invalidRequest('mint', 'A discount with an amount needs the mint of that amount.');
  return { percentBps: null, amount, mint: validAddress('mint', mint) as string };
}
