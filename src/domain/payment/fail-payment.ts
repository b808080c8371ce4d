import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import type { FailureCode } from '../../generated/prisma/client.ts';
import { recordEvent } from '../event/record-event.ts';
import { settingsOf } from '../merchant/settings.ts';
import { COLLECTING } from '../subscription/status.ts';
import { transition } from '../subscription/transition.ts';
import { announcePayment } from './announce-payment.ts';
import { type BillableSubscription, lockSubscription, metadataOf } from './billable.ts';
import { holdsClaim } from './claim-due.ts';
import { afterFailure } from './retry.ts';

export interface PayerFailure {
  readonly code: FailureCode;
  /** What the payer had at hand, in base units. */
  readonly balanceAvailable: bigint;
}

export interface FailedTry {
  readonly subscriptionId: string;
  readonly paymentId: string;
  /** The attempt that failed on chain. Without one the failure was seen before anything was sent. */
  readonly attemptId?: string;
  /** The claim under which that was seen. */
  readonly claimedUntil?: Date | null;
}

/**
 * Books that the payer could not pay: one more failure, then a retry or the end, and the events that tell of it. An
 * attempt is written where there was none.
 */
export async function failPayment(
  ctx: AppContext,
  { subscriptionId, paymentId, attemptId, claimedUntil }: FailedTry,
  failure: PayerFailure,
): Promise<void> {
  const now = ctx.clock.now();
  const subscription = await ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const payment = await tx.payment.findUniqueOrThrow({ where: { id: paymentId } });
    const outcome = {
      status: 'FAILED' as const,
      failureCode: failure.code,
      amountRequired: payment.amount,
      balanceAvailable: failure.balanceAvailable,
      settledAt: now,
    };
    if (attemptId) {
      const { count } = await tx.attempt.updateMany({
        where: { id: attemptId, status: 'SUBMITTED' },
        data: outcome,
      });
      if (count === 0) return undefined; // booked already
    }
    if (!attemptId && !holdsClaim(subscription, claimedUntil, now)) return undefined;
    const owed = payment.status === 'DUE' && COLLECTING.includes(subscription.status);
    if (!owed) return undefined;
    if (!attemptId) await tx.attempt.create({ data: { paymentId, createdAt: now, ...outcome } });
    await countFailure(tx, subscription, payment, failure, now);
    return subscription;
  });
  if (subscription) await announcePayment(ctx, subscription, paymentId);
}

async function countFailure(
  tx: DbTransaction,
  subscription: BillableSubscription,
  payment: { readonly id: string; readonly amount: bigint },
  failure: PayerFailure,
  now: Date,
): Promise<void> {
  const failureCount = subscription.failureCount + 1;
  const next = afterFailure(await settingsOf(tx, subscription), failureCount);
  const from = subscription.status;
  const about = {
    merchantId: subscription.merchantId,
    environment: subscription.environment,
    subscriptionId: subscription.id,
    at: now,
  };
  const customer = { email: subscription.customer.email, walletAddress: subscription.walletAddress };
  await recordEvent(tx, {
    ...about,
    type: 'subscription.payment_failed',
    data: {
      subscriptionId: subscription.address,
      customer,
      amountRequired: String(payment.amount),
      balanceAvailable: String(failure.balanceAvailable),
      failureCount,
      metadata: metadataOf(subscription),
    },
  });
  if (next.kind === 'expire') {
    await transition(tx, subscription.id, { from, to: 'EXPIRED', reason: 'too_many_failures' }, now, {
      failureCount,
      nextAttemptAt: null,
      claimedUntil: null,
    });
    await tx.payment.update({ where: { id: payment.id }, data: { status: 'FAILED' } });
    await recordEvent(tx, {
      ...about,
      type: 'subscription.expired',
      data: {
        subscriptionId: subscription.address,
        customer,
        failureCount,
        metadata: metadataOf(subscription),
      },
    });
    return;
  }
  const fields = {
    failureCount,
    nextAttemptAt: new Date(now.getTime() + next.delaySeconds * 1000),
    claimedUntil: null,
  };
  if (from === 'PAST_DUE') await tx.subscription.update({ where: { id: subscription.id }, data: fields });
  else await transition(tx, subscription.id, { from, to: 'PAST_DUE', reason: 'payment_failed' }, now, fields);
}
