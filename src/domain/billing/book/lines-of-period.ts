import type { Line } from '../price/line.ts';
import { cutAtLimit, pricePayment } from '../price/price-payment.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentOfPeriod } from '../schedule/period.ts';
import { type Book, paidAmountOf, scheduledAt } from './book.ts';
import { discountAt } from './discount-at.ts';

/**
 * What is left of the limit in a chain's period by the books, in base units; at least 0.
 *
 * @throws Error if the payments of the period were not read
 */
export function limitLeftOf(book: Book, periodStart: bigint): bigint {
  const left = book.subscription.plan.maxAmount - paidAmountOf(book.paymentsOf(periodStart));
  return left > 0n ? left : 0n;
}

/**
 * The lines of the scheduled payment of a period that has none yet, within what its chain's period has
 * left by the books.
 *
 * @throws Error if the payments of the period were not read
 */
export function linesOfPeriod(book: Book, periodStart: bigint): readonly Line[] {
  const { subscription } = book;
  const { name: planName, amount: price } = subscription.plan;
  const period = subscription.discount && paymentOfPeriod(scheduleOf(subscription), periodStart);
  const discount = period && discountAt(subscription, period.index);
  return pricePayment({ planName, price, discount, limitLeft: limitLeftOf(book, periodStart) });
}

/**
 * The lines of what is collected for the scheduled payment of a period. A payment that exists owes what
 * it owed from the start, and what does not fit into the limit is dropped when it is pulled.
 *
 * @throws Error if the payments of the period were not read
 */
export function collectableLines(book: Book, periodStart: bigint): readonly Line[] {
  const payment = book.payment(scheduledAt(periodStart));
  if (!payment) return linesOfPeriod(book, periodStart);
  // A row of an earlier release has no lines.
  const { name: text } = book.subscription.plan;
  const owed =
    payment.lines.length > 0 ? payment.lines : [{ kind: 'FLAT', text, amount: payment.amount } as const];
  return cutAtLimit(owed, limitLeftOf(book, periodStart));
}
