import type { DbTransaction } from '../../db.ts';
import { recordEvent } from '../event/record-event.ts';
import { type BillableSubscription, metadataOf } from '../payment/billable.ts';
import { COLLECTING, type TransitionReason } from './status.ts';
import { transition } from './transition.ts';

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
 * Cancels a subscription that the caller has locked: nothing more is collected, what is due is given up, the merchant is
 * told. Answers false, having written nothing, where it is over already.
 *
 * A transaction that is under way may still land: its payment is settled then, whatever the status.
 */
export async function endSubscription(
  tx: DbTransaction,
  subscription: BillableSubscription,
  { reason, accessUntil, at }: Ending,
): Promise<boolean> {
  const { id, status, merchantId, environment, address, walletAddress, customer } = subscription;
  if (!COLLECTING.includes(status)) return false;
  const fields = { accessUntil, cancelledAt: at, nextAttemptAt: null, claimedUntil: null };
  if (!(await transition(tx, id, { from: status, to: 'CANCELLED', reason }, at, fields))) return false;
  await tx.payment.updateMany({
    where: { subscriptionId: id, status: 'DUE' },
    data: { status: 'FAILED' },
  });
  await recordEvent(tx, {
    merchantId,
    environment,
    subscriptionId: id,
    at,
    type: 'subscription.cancelled',
    data: {
      subscriptionId: address,
      customer: { email: customer.email, walletAddress },
      accessUntil: accessUntil > at ? accessUntil.toISOString() : null,
      metadata: metadataOf(subscription),
    },
  });
  return true;
}

/** Until when it is paid for: the due date of what comes next, or now where that is overdue. */
export function paidThrough({ nextPaymentAt }: { readonly nextPaymentAt: Date }, now: Date): Date {
  return nextPaymentAt > now ? nextPaymentAt : now;
}
