import { unixSeconds } from '../../../chain/chain-time.ts';
import { monthlyRevenue } from '../price/monthly-revenue.ts';
import { discountedPrice, recurringPrice } from '../price/sources/discount.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentDueAt } from '../schedule/period.ts';
import type { Book } from './book.ts';
import { discountAt, periodsLeft } from './discount-at.ts';

/**
 * Sets what a discount changes with each payment: what the next one will be, and the contribution to the
 * monthly recurring revenue. Without a discount both follow from the price.
 */
export function followDiscount(book: Book): void {
  const { subscription } = book;
  const { nextPaymentAt, plan, discount } = subscription;
  const period = paymentDueAt(scheduleOf(subscription), unixSeconds(nextPaymentAt));
  if (!period) return;
  const applied = discountAt(subscription, period.index);
  const open = book.payments.find(
    ({ periodStart, ordinal, status }) =>
      periodStart === period.periodStart && ordinal === 0 && status === 'DUE',
  );
  const price = applied ? discountedPrice(plan.amount, applied) : plan.amount;
  book.set({ nextAmount: open?.amount ?? price });
  const recurring = recurringPrice(plan.amount, discount, discount && periodsLeft(discount, period.index));
  book.setRevenue(monthlyRevenue(recurring, plan.intervalSeconds));
}
