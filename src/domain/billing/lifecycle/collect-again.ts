import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { Book } from '../book/book.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { collectablePeriod } from '../schedule/collectable-period.ts';
import { firstUnpaid } from '../schedule/first-unpaid.ts';
import type { PaymentPeriod } from '../schedule/period.ts';

/** The status and the reason with which an ended subscription is collected again. */
export interface CollectionRestart {
  readonly from: 'CANCELLED' | 'EXPIRED';
  readonly reason: 'resumed_on_chain' | 'reactivated';
}

/**
 * Makes an ended subscription ACTIVE. Periods that have passed are not collected; the current one
 * is, if it is unpaid. Only for a book from `changeBooks` with the current period's payment.
 * Returns the next due date, or undefined without a change if it has another status.
 */
export function collectAgain(book: Book, { from, reason }: CollectionRestart, at: Date): Date | undefined {
  if (book.subscription.status !== from) return undefined;
  const nextPaymentAt = dateOf(unpaidPeriod(book, at).dueAt);
  book.transition(
    { from, to: 'ACTIVE', reason },
    {
      nextPaymentAt,
      nextAttemptAt: nextPaymentAt,
      claimedUntil: null,
      failureCount: 0,
      accessUntil: null,
      cancelledAt: null,
    },
  );
  return nextPaymentAt;
}

/** The first payment whose period is not over at `at`, from the schedule alone. */
export function runningPeriod({ subscription }: Pick<Book, 'subscription'>, at: Date): PaymentPeriod {
  return collectablePeriod(scheduleOf(subscription), unixSeconds(at));
}

/** The current period's payment, reopened if it was given up, or the next one if it is paid. */
function unpaidPeriod(book: Book, at: Date): PaymentPeriod {
  const { periodStart } = runningPeriod(book, at);
  const status = book.payment(periodStart)?.status;
  if (status === 'FAILED') book.setPayment(periodStart, { status: 'DUE' });
  return firstUnpaid(scheduleOf(book.subscription), unixSeconds(at), () => status === 'SUCCEEDED');
}
