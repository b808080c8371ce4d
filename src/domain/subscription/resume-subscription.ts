import type { DbTransaction } from '../../db.ts';
import { recordEvent } from '../event/record-event.ts';
import {
  type BillableSubscription,
  dateOf,
  metadataOf,
  scheduleOf,
  unixSeconds,
} from '../payment/billable.ts';
import { type PaymentWindow, paymentWindow } from '../payment/period.ts';
import { collectableWindow } from './collectable-window.ts';
import { transition } from './transition.ts';

/**
 * The customer took the cancellation back. Periods that passed meanwhile are not collected; the running one is, where it
 * is unpaid. The caller has locked the row.
 */
export async function resumeSubscription(
  tx: DbTransaction,
  subscription: BillableSubscription,
  at: Date,
): Promise<boolean> {
  const { id, merchantId, environment, address, walletAddress, customer } = subscription;
  const nextPaymentAt = dateOf((await unpaidWindow(tx, subscription, at)).dueAt);
  const resumed = { from: 'CANCELLED', to: 'ACTIVE', reason: 'resumed_on_chain' } as const;
  const moved = await transition(tx, id, resumed, at, {
    nextPaymentAt,
    nextAttemptAt: nextPaymentAt,
    claimedUntil: null,
    failureCount: 0,
    accessUntil: null,
    cancelledAt: null,
  });
  if (!moved) return false;
  await recordEvent(tx, {
    merchantId,
    environment,
    subscriptionId: id,
    at,
    type: 'subscription.resumed',
    data: {
      subscriptionId: address,
      customer: { email: customer.email, walletAddress },
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
  });
  return true;
}

/** The running period's payment, owed again if the cancellation had given it up, or the one after where it is paid. */
async function unpaidWindow(
  tx: DbTransaction,
  subscription: BillableSubscription,
  at: Date,
): Promise<PaymentWindow> {
  const schedule = scheduleOf(subscription);
  const running = collectableWindow(schedule, unixSeconds(at));
  const key = { subscriptionId: subscription.id, periodStart: running.periodStart };
  const payment = await tx.payment.findUnique({ where: { subscriptionId_periodStart: key } });
  if (payment?.status === 'SUCCEEDED') return paymentWindow(schedule, running.index + 1n);
  if (payment?.status === 'FAILED') {
    await tx.payment.update({ where: { id: payment.id }, data: { status: 'DUE' } });
  }
  return running;
}
