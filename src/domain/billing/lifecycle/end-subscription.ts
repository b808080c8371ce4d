import { unixSeconds } from '../../../chain/chain-time.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book, BookedSubscription } from '../book/book.ts';
import { COLLECTING, isUnpaid, type TransitionReason } from '../book/status.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { periodIndexOf } from '../schedule/period.ts';
import { waiverOf } from '../schedule/waivers.ts';
import { hadNothingPaid } from './observed-change.ts';

export interface Ending {
  readonly reason: Extract<
    TransitionReason,
    | 'cancelled_on_chain'
    | 'cancelled_by_merchant'
    | 'cancelled_by_customer'
    | 'delegation_closed'
    | 'authority_revoked'
    | 'plan_over'
  >;
  /** End of the paid time. */
  readonly accessUntil: Date;
  readonly at: Date;
  /** The customer's reason and comment from the portal. */
  readonly feedback?: { readonly reason: string | null; readonly comment: string | null } | null;
}

/**
 * Cancels a subscription: collection stops, the due payment is given up, and an event is recorded.
 * Returns false without a change if it has already ended. Only for a book from `changeBooks` with
 * the subscription's due payment.
 *
 * A transaction in flight may still land: its payment is then settled, whatever the status.
 */
export function endSubscription(book: Book, { reason, accessUntil, at, feedback }: Ending): boolean {
  const { subscription } = book;
  const { status: from, address, walletAddress, customer } = subscription;
  if (!COLLECTING.includes(from)) return false;
  const fields = { accessUntil, cancelledAt: at, nextAttemptAt: null, claimedUntil: null };
  book.transition({ from, to: 'CANCELLED', reason }, fields);
  for (const payment of book.payments) {
    const { status, undecidedSince } = payment;
    if (status === 'DUE' && undecidedSince === null) book.setPayment(payment, { status: 'FAILED' });
  }
  book.recordEvent(
    'subscription.cancelled',
    {
      subscriptionId: address,
      customer: { ...customer, walletAddress },
      accessUntil: accessUntil > at ? accessUntil.toISOString() : null,
      cancellationReason: feedback?.reason ?? null,
      cancellationComment: feedback?.comment ?? null,
      metadata: metadataOf(subscription),
    },
    at,
  );
  return true;
}

/**
 * The end of the paid time: the next due date, or now if that is overdue or a pause takes the access. If the
 * payment has failed for the last time, the end of the grace.
 */
export function paidThrough(subscription: BookedSubscription, now: Date): Date {
  if (isUnpaid(subscription)) return subscription.accessUntil;
  const { nextPaymentAt } = subscription;
  return nextPaymentAt > now && !hasNoAccess(subscription) ? nextPaymentAt : now;
}

/**
 * Whether the time before the next due date gives no access: it is in a pause without access, its payment has
 * failed for the last time, or nothing was paid when it was cancelled.
 */
export function hasNoAccess(subscription: BookedSubscription): boolean {
  if (isUnpaid(subscription) || hadNothingPaid(subscription)) return true;
  const next = periodIndexOf(scheduleOf(subscription), unixSeconds(subscription.nextPaymentAt));
  return waiverOf(subscription.waivers, next - 1n)?.keepsAccess === false;
}
