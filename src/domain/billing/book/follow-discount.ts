import { unixSeconds } from '../../../chain/chain-time.ts';
import { discountedPrice } from '../../catalog/money/discounted-price.ts';
import { monthlyRevenue } from '../price/monthly-revenue.ts';
import { recurringPrice } from '../price/sources/discount.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentDueAt } from '../schedule/period.ts';
import { firstCharged, waiverOf } from '../schedule/waivers.ts';
import type { Book } from './book.ts';
import { discountAt, periodsLeft } from './discount-at.ts';
import { COLLECTING, isUnpaid } from './status.ts';

/**
 * Sets what a discount or a pause changes with each payment: what the next one that is charged will be, and the
 * contribution to the monthly recurring revenue, which is 0 in a pause and while a payment waits for a top-up.
 * Otherwise both follow from the price.
 */
export function followDiscount(book: Book): void {
  const { subscription } = book;
  const { nextPaymentAt, plan, discount, waivers } = subscription;
  const period = paymentDueAt(scheduleOf(subscription), unixSeconds(nextPaymentAt));
  if (!period) return;
  const index = firstCharged(waivers, period.index) ?? period.index;
  const applied = discountAt(subscription, index);
  const open = book.payments.find(
    ({ periodStart, ordinal, status }) =>
      periodStart === period.periodStart && ordinal === 0 && status === 'DUE',
  );
  const price = applied ? discountedPrice(plan.amount, applied) : plan.amount;
  book.set({ nextAmount: open?.amount ?? price });
  const recurring = recurringPrice(
    plan.amount,
    discount,
    discount && periodsLeft(discount, waivers, period.index),
  );
  const isPaused = waiverOf(waivers, period.index - 1n)?.kind === 'PAUSE';
  // The revenue of a subscription that ends was lost before, and is counted when it is collected again.
  const isLost = isUnpaid(subscription) || (!COLLECTING.includes(subscription.status) && book.mrrRead === 0n);
  book.setRevenue(isPaused || isLost ? 0n : monthlyRevenue(recurring, plan.intervalSeconds));
}
