import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { periodsLeft } from '../book/discount-at.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { periodIndexOf } from '../schedule/period.ts';

/** The payments that the discount of a subscription reduces. */
export interface AppliedDiscount {
  /** Index of the first one. */
  readonly from: number;
  /** Index of the first one after it; null if it never ends. */
  readonly until: number | null;
  /** Number of those from the next payment on; null for all. */
  readonly periodsLeft: number | null;
}

/** What is left of a subscription's discount; undefined if there is none or it is over. */
export function appliedDiscount(
  subscription: Parameters<typeof scheduleOf>[0] &
    Pick<Subscription, 'nextPaymentAt' | 'discountFrom' | 'discountUntil'>,
): AppliedDiscount | undefined {
  const { nextPaymentAt, discountFrom: from, discountUntil: until } = subscription;
  if (from === null) return undefined;
  const next = periodIndexOf(scheduleOf(subscription), unixSeconds(nextPaymentAt));
  const left = periodsLeft({ from, until }, next);
  return left === 0 ? undefined : { from, until, periodsLeft: left };
}
