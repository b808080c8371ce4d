import type { AppContext } from '../../app.ts';
import type { Payment } from '../../generated/prisma/client.ts';
import { cancelAtPeriodEnd } from '../subscription/cancel-subscription.ts';
import { COLLECTING } from '../subscription/status.ts';
import {
  type BillableSubscription,
  dateOf,
  lockSubscription,
  paymentOf,
  scheduleOf,
  unixSeconds,
} from './billable.ts';
import { decide, type PaymentWindow } from './period.ts';

/**
 * How long a transaction that is sent now may still land: 150 blocks, doubled for slow slots. Nothing is sent so late
 * that it could use up the next period's allowance.
 */
export const LANDING_SECONDS = 120n;

/** A payment that is to be collected now. */
export interface DuePayment {
  readonly subscription: BillableSubscription;
  readonly payment: Payment;
  readonly window: PaymentWindow;
}

/**
 * Decides what a claimed subscription owes now. Answers with its payment where one is to be collected; otherwise the
 * subscription has been put where it belongs (too early, missed, ended, already paid) and undefined is the answer.
 */
export async function preparePayment(
  ctx: AppContext,
  subscriptionId: string,
): Promise<DuePayment | undefined> {
  return ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (!COLLECTING.includes(subscription.status) || !subscription.nextAttemptAt) return undefined;
    const now = ctx.clock.now();
    const schedule = scheduleOf(subscription);
    let decision = decide(
      schedule,
      unixSeconds(subscription.nextPaymentAt),
      unixSeconds(now),
      LANDING_SECONDS,
    );
    const put = (data: { nextPaymentAt?: Date; nextAttemptAt: Date | null }) =>
      tx.subscription.update({ where: { id: subscription.id }, data: { ...data, claimedUntil: null } });

    if (subscription.cancelAtPeriodEnd && decision.kind !== 'wait') {
      await cancelAtPeriodEnd(ctx, tx, subscription, subscription.nextPaymentAt);
      return undefined;
    }
    if (decision.kind === 'missed') {
      for (const window of decision.missed) {
        const payment = await paymentOf(tx, subscription, window);
        if (payment.status === 'DUE') {
          await tx.payment.update({ where: { id: payment.id }, data: { status: 'MISSED' } });
        }
      }
      const { next } = decision;
      await put({ nextPaymentAt: dateOf(next.dueAt), nextAttemptAt: dateOf(next.dueAt) });
      decision = decide(schedule, next.dueAt, unixSeconds(now), LANDING_SECONDS);
    }
    if (decision.kind === 'wait') {
      await put({ nextAttemptAt: dateOf(decision.window.dueAt) });
      return undefined;
    }
    if (decision.kind === 'too_late_to_send') {
      await put({ nextAttemptAt: dateOf(decision.window.periodEnd) });
      return undefined;
    }
    if (decision.kind === 'missed') throw new Error('a period that just began is over already');

    const { window } = decision;
    const payment = await paymentOf(tx, subscription, window);
    if (payment.attempts.length > 0) {
      // Its transaction may still land: the follower decides, and says when to try again.
      await put({ nextAttemptAt: null });
      return undefined;
    }
    if (payment.status !== 'DUE') {
      const next = dateOf(window.dueAt + schedule.intervalSeconds);
      await put({ nextPaymentAt: next, nextAttemptAt: next });
      return undefined;
    }
    return { subscription, payment, window };
  });
}
