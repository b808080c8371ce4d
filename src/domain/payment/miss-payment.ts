import { dateOf } from './billable.ts';
import type { Book, BookedPayment } from './books/book.ts';
import type { PaymentWindow } from './period.ts';

/** The payment of a window: made when it is first of interest, found again after that. */
export function paymentOf(book: Book, { periodStart, dueAt }: PaymentWindow): BookedPayment {
  return (
    book.payment(periodStart) ??
    book.addPayment({ periodStart, dueAt: dateOf(dueAt), amount: book.subscription.plan.amount })
  );
}

/** The window's period is over, and it will never be collected. */
export function miss(book: Book, window: PaymentWindow): void {
  const { status, periodStart } = paymentOf(book, window);
  if (status === 'DUE') book.setPayment(periodStart, { status: 'MISSED' });
}
