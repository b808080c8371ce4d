import type { Line } from '../price/line.ts';
import { pricePayment } from '../price/price-payment.ts';
import { type Book, paidAmountOf } from './book.ts';

/**
 * The lines of the scheduled payment of a period, within what its chain's period has left by the
 * books. The charge and its preview take them from here.
 *
 * @throws Error if the payments of the period were not read
 */
export function linesOfPeriod(book: Book, periodStart: bigint): readonly Line[] {
  const { plan } = book.subscription;
  const limitLeft = plan.maxAmount - paidAmountOf(book.paymentsOf(periodStart));
  return pricePayment({ planName: plan.name, price: plan.amount, limitLeft });
}
