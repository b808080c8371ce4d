import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { type Book, scheduledAt } from '../book/book.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { runningPeriod } from '../schedule/collectable-period.ts';
import { firstUnpaid } from '../schedule/first-unpaid.ts';
import type { PaymentPeriod } from '../schedule/period.ts';

/** The status and the reason with which an ended subscription is collected again. */
export interface CollectionRestart {
  readonly from: 'CANCELLED' | 'EXPIRED';
  readonly reason: 'resumed_on_chain' | 'reactivated';
}

/**
 * Makes an ended subscription ACTIVE. The current period is collected if it is unpaid; periods that
 * are over stay uncollected. The book must have the payment of the current period. Returns the next
 * due date, or undefined without a change if the subscription has another status.
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
      cancelledAt: null,
    },
  );
  // Otherwise the customer has just come back, and waits for the payment of the running period.
  if (nextPaymentAt > at) book.set({ nextAttemptAt: book.firstAttemptAt });
  return nextPaymentAt;
}

/**
 * The period to collect next: the current one or, if it is paid or waived, the one after it. A payment of the
 * current period that has FAILED becomes DUE again.
 */
function unpaidPeriod(book: Book, at: Date): PaymentPeriod {
  const position = scheduledAt(runningPeriod(book.subscription, at).periodStart);
  const status = book.payment(position)?.status;
  if (status === 'FAILED') book.setPayment(position, { status: 'DUE' });
  const isDone = status === 'SUCCEEDED' || status === 'WAIVED';
  return firstUnpaid(scheduleOf(book.subscription), unixSeconds(at), () => isDone);
}
