import { dateOf, scheduleOf, unixSeconds } from '../payment/billable.ts';
import type { Book } from '../payment/books/book.ts';
import { type PaymentWindow, paymentWindow } from '../payment/period.ts';
import { collectableWindow } from './collectable-window.ts';

/** From where, and why, a subscription that was over is collected again. */
export interface Return {
  readonly from: 'CANCELLED' | 'EXPIRED';
  readonly reason: 'resumed_on_chain' | 'reactivated';
}

/**
 * Makes a subscription ACTIVE that was over. Periods that passed meanwhile are not collected; the running one is, where it
 * is unpaid. Only on a book that `changeLives` opened, with the running period's payment. Answers with the due date of what
 * comes next, or undefined, having noted nothing, where it is in another status.
 */
export function collectAgain(book: Book, { from, reason }: Return, at: Date): Date | undefined {
  if (book.subscription.status !== from) return undefined;
  const nextPaymentAt = dateOf(unpaidWindow(book, at).dueAt);
  book.move(
    { from, to: 'ACTIVE', reason },
    {
      ...{ nextPaymentAt, nextAttemptAt: nextPaymentAt, claimedUntil: null, failureCount: 0 },
      ...{ accessUntil: null, cancelledAt: null },
    },
  );
  return nextPaymentAt;
}

/** The payment that is owed at `at`, by the schedule alone. */
export function runningWindow({ subscription }: Pick<Book, 'subscription'>, at: Date): PaymentWindow {
  return collectableWindow(scheduleOf(subscription), unixSeconds(at));
}

/** The running period's payment, owed again if the end had given it up, or the one after where it is paid. */
function unpaidWindow(book: Book, at: Date): PaymentWindow {
  const running = runningWindow(book, at);
  const payment = book.payment(running.periodStart);
  if (payment?.status === 'SUCCEEDED') {
    return paymentWindow(scheduleOf(book.subscription), running.index + 1n);
  }
  if (payment?.status === 'FAILED') book.setPayment(running.periodStart, { status: 'DUE' });
  return running;
}
