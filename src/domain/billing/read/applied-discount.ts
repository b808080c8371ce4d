import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { periodsLeft } from '../book/discount-at.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentPeriod, periodIndexOf } from '../schedule/period.ts';

/** The payments that the discount of a subscription reduces. */
export interface AppliedDiscount {
  /** Index of the first one. */
  readonly from: number;
  /** Index of the first one after it; null if it never ends. */
  readonly until: number | null;
  /** Number of those from the next payment on; null for all. */
  readonly periodsLeft: number | null;
  /** Due date of payment `until`; null if it never ends, or in a pause without an end, which moves it. */
  readonly fullPriceAt: Date | null;
}

/** What is left of a subscription's discount; undefined if there is none or it is over. */
export function appliedDiscount(
  subscription: Parameters<typeof scheduleOf>[0] &
    Pick<Subscription, 'nextPaymentAt' | 'discountFrom' | 'discountUntil' | 'pausedFrom' | 'pausedUntil'>,
): AppliedDiscount | undefined {
  const { nextPaymentAt, discountFrom: from, discountUntil: until, pausedFrom, pausedUntil } = subscription;
  if (from === null) return undefined;
  const schedule = scheduleOf(subscription);
  const indexAt = (at: Date) => periodIndexOf(schedule, unixSeconds(at));
  const pauses = pausedFrom
    ? [
        {
          kind: 'PAUSE' as const,
          fromIndex: Number(indexAt(pausedFrom)),
          untilIndex: pausedUntil && Number(indexAt(pausedUntil)),
        },
      ]
    : [];
  const left = periodsLeft({ from, until }, pauses, indexAt(nextPaymentAt));
  if (left === 0) return undefined;
  const isMoving = pausedFrom !== null && pausedUntil === null;
  const fullPriceAt =
    until === null || isMoving ? null : dateOf(paymentPeriod(schedule, BigInt(until)).dueAt);
  return { from, until, periodsLeft: left, fullPriceAt };
}
