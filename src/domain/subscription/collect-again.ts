import type { DbTransaction } from '../../db.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { type BillableSubscription, dateOf, scheduleOf, unixSeconds } from '../payment/billable.ts';
import { type PaymentWindow, paymentWindow } from '../payment/period.ts';
import { collectableWindow } from './collectable-window.ts';
import { transition } from './transition.ts';

/** From where, and why, a subscription that was over is collected again. */
export interface Return {
  readonly from: 'CANCELLED' | 'EXPIRED';
  readonly reason: 'resumed_on_chain' | 'reactivated';
}

/**
 * Makes a subscription ACTIVE that was over. Periods that passed meanwhile are not collected; the running one is, where it
 * is unpaid. The caller has locked the row. Answers with the due date of what comes next, or undefined, having written
 * nothing, where it is in another status.
 */
export async function collectAgain(
  tx: DbTransaction,
  subscription: BillableSubscription,
  { from, reason }: Return,
  at: Date,
  fields: Pick<Prisma.SubscriptionUncheckedUpdateInput, 'customerId' | 'metadata' | 'cancelAtPeriodEnd'> = {},
): Promise<Date | undefined> {
  if (subscription.status !== from) return undefined;
  const nextPaymentAt = dateOf((await unpaidWindow(tx, subscription, at)).dueAt);
  const moved = await transition(tx, subscription.id, { from, to: 'ACTIVE', reason }, at, {
    ...(fields as Prisma.SubscriptionUncheckedUpdateManyInput),
    nextPaymentAt,
    nextAttemptAt: nextPaymentAt,
    claimedUntil: null,
    failureCount: 0,
    accessUntil: null,
    cancelledAt: null,
  });
  return moved ? nextPaymentAt : undefined;
}

/** The running period's payment, owed again if the end had given it up, or the one after where it is paid. */
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
