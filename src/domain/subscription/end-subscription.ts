import { metadataOf } from '../payment/billable.ts';
import type { Book } from '../payment/books/book.ts';
import { COLLECTING, type TransitionReason } from './status.ts';

export interface Ending {
  readonly reason: Extract<
    TransitionReason,
    'cancelled_on_chain' | 'cancelled_by_merchant' | 'delegation_closed' | 'authority_revoked' | 'plan_over'
  >;
  /** Until when the customer keeps what was paid for. */
  readonly accessUntil: Date;
  readonly at: Date;
}

/**
 * Cancels a subscription: nothing more is collected, what is due is given up, the merchant is told. Answers false, having
 * noted nothing, where it is over already. Only on a book that `changeLives` opened, with what the subscription owes.
 *
 * A transaction that is under way may still land: its payment is settled then, whatever the status.
 */
export function endSubscription(book: Book, { reason, accessUntil, at }: Ending): boolean {
  const { subscription } = book;
  const { status: from, address, walletAddress, customer } = subscription;
  if (!COLLECTING.includes(from)) return false;
  const fields = { accessUntil, cancelledAt: at, nextAttemptAt: null, claimedUntil: null };
  book.move({ from, to: 'CANCELLED', reason }, fields);
  for (const { periodStart, status } of book.payments) {
    if (status === 'DUE') book.setPayment(periodStart, { status: 'FAILED' });
  }
  book.tell(
    'subscription.cancelled',
    {
      subscriptionId: address,
      customer: { email: customer.email, walletAddress },
      accessUntil: accessUntil > at ? accessUntil.toISOString() : null,
      metadata: metadataOf(subscription),
    },
    at,
  );
  return true;
}

/** Until when it is paid for: the due date of what comes next, or now where that is overdue. */
export function paidThrough({ nextPaymentAt }: { readonly nextPaymentAt: Date }, now: Date): Date {
  return nextPaymentAt > now ? nextPaymentAt : now;
}
