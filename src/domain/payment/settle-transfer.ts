import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import type { Environment, Payment } from '../../generated/prisma/client.ts';
import { recordEvent } from '../event/record-event.ts';
import { isOfLife } from '../subscription/lives.ts';
import { COLLECTING } from '../subscription/status.ts';
import { transition } from '../subscription/transition.ts';
import { announcePayment } from './announce-payment.ts';
import { type BillableSubscription, dateOf, lockSubscription, metadataOf, scheduleOf } from './billable.ts';
import { type PaymentWindow, paymentOfPeriod } from './period.ts';

/** A transfer event of the program, as it stands on chain. */
export interface SeenTransfer {
  readonly signature: string;
  /** Its place among all inner instructions of the transaction. */
  readonly index: number;
  readonly slot: bigint;
  /** When the chain took it; null where the block's time is not known. */
  readonly at: Date | null;
  readonly subscription: string;
  readonly plan: string;
  /** Null where the program is too old to tell. */
  readonly puller: string | null;
  readonly amount: bigint;
  /** Unix seconds. */
  readonly periodStart: bigint;
}

/**
 * Books a transfer that happened on chain on the payment of its period, whoever sent it and whoever saw it first; seeing
 * it again changes nothing. A transfer of a subscription that is not known yet is kept and booked by
 * `settleWaitingTransfers` once it is.
 */
export async function settleTransfer(
  ctx: AppContext,
  environment: Environment,
  transfer: SeenTransfer,
): Promise<void> {
  const { signature, index } = transfer;
  const settled = await ctx.db.$transaction(async (tx) => {
    await tx.chainTransfer.createMany({
      data: {
        environment,
        signature,
        index,
        slot: transfer.slot,
        subscriptionAddress: transfer.subscription,
        planAddress: transfer.plan,
        amount: transfer.amount,
        periodStart: transfer.periodStart,
        puller: transfer.puller,
      },
      skipDuplicates: true,
    });
    const life = await lifeOf(tx, environment, transfer);
    if (!life) return undefined;
    const subscription = await lockSubscription(tx, life);
    // Under the lock, so that of two who saw the same transfer only one books it.
    const row = { environment_signature_index: { environment, signature, index } };
    const kept = await tx.chainTransfer.findUniqueOrThrow({ where: row });
    if (kept.paymentId) return undefined;
    const payment = await bookTransfer(ctx, tx, subscription, transfer);
    await tx.chainTransfer.update({ where: row, data: { paymentId: payment.id } });
    return { paymentId: payment.id, subscription };
  });
  if (settled) await announcePayment(ctx, settled.subscription, settled.paymentId);
}

/** Books what was collected from a subscription before it was known here. */
export async function settleWaitingTransfers(
  ctx: AppContext,
  environment: Environment,
  subscriptionAddress: string,
): Promise<void> {
  const waiting = await ctx.db.chainTransfer.findMany({
    where: { environment, subscriptionAddress, paymentId: null },
    orderBy: [{ slot: 'asc' }, { index: 'asc' }],
  });
  for (const { planAddress: plan, ...transfer } of waiting) {
    await settleTransfer(ctx, environment, {
      ...transfer,
      plan,
      subscription: subscriptionAddress,
      at: null,
    });
  }
}

// The life of the address that the period belongs to: the newest that had begun by then. Where its periods start at other
// times the transfer is of a newer life, which is not known yet.
async function lifeOf(
  tx: DbTransaction,
  environment: Environment,
  { subscription, periodStart }: SeenTransfer,
): Promise<string | undefined> {
  const life = await tx.subscription.findFirst({
    where: { environment, address: subscription, chainCreatedAt: { lte: periodStart } },
    orderBy: { chainCreatedAt: 'desc' },
    select: { id: true, chainCreatedAt: true, plan: { select: { intervalSeconds: true } } },
  });
  if (!life) return undefined;
  return isOfLife(life.chainCreatedAt, periodStart, BigInt(life.plan.intervalSeconds)) ? life.id : undefined;
}

async function bookTransfer(
  ctx: AppContext,
  tx: DbTransaction,
  subscription: BillableSubscription,
  transfer: SeenTransfer,
): Promise<Payment> {
  const now = ctx.clock.now();
  const schedule = scheduleOf(subscription);
  const window = paymentOfPeriod(schedule, transfer.periodStart);
  const key = {
    subscriptionId_periodStart: { subscriptionId: subscription.id, periodStart: transfer.periodStart },
  };
  const before = await tx.payment.findUnique({ where: key });
  if (before?.status === 'SUCCEEDED') {
    // The merchant may pull a period's amount in parts: one payment, the sum of them.
    return tx.payment.update({ where: key, data: { amount: { increment: transfer.amount } } });
  }
  const paymentCount = subscription.paymentCount + 1;
  const paid = {
    status: 'SUCCEEDED' as const,
    amount: transfer.amount,
    number: paymentCount,
    signature: transfer.signature,
    collectedByUs: transfer.puller === ctx.chain[subscription.environment]?.collector.address,
    paidAt: transfer.at ?? now,
  };
  const payment = await tx.payment.upsert({
    where: key,
    create: {
      merchantId: subscription.merchantId,
      environment: subscription.environment,
      subscriptionId: subscription.id,
      periodStart: transfer.periodStart,
      dueAt: dateOf(window?.dueAt ?? transfer.periodStart),
      ...paid,
    },
    update: paid,
  });
  await tx.attempt.updateMany({
    where: { paymentId: payment.id, status: 'SUBMITTED', transaction: { signature: transfer.signature } },
    data: { status: 'SUCCEEDED', settledAt: now },
  });
  const nextPaymentAt = await advance(tx, subscription, window, paymentCount, now);
  await recordEvent(tx, {
    merchantId: subscription.merchantId,
    environment: subscription.environment,
    subscriptionId: subscription.id,
    at: now,
    type: 'subscription.payment_succeeded',
    data: {
      subscriptionId: subscription.address,
      customer: { email: subscription.customer.email, walletAddress: subscription.walletAddress },
      userWallet: subscription.walletAddress,
      amount: String(transfer.amount),
      paymentNumber: paymentCount,
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
  });
  return payment;
}

/** Moves the subscription on to the payment after the one that was paid; answers with its due date. */
async function advance(
  tx: DbTransaction,
  subscription: BillableSubscription,
  window: PaymentWindow | undefined,
  paymentCount: number,
  now: Date,
): Promise<Date> {
  const following = window && dateOf(window.dueAt + BigInt(subscription.plan.intervalSeconds));
  // A transfer that is seen late must not move the date back; one in the trial does not move it at all.
  const nextPaymentAt =
    following && following > subscription.nextPaymentAt ? following : subscription.nextPaymentAt;
  if (!COLLECTING.includes(subscription.status)) {
    await tx.subscription.update({ where: { id: subscription.id }, data: { paymentCount } });
    return nextPaymentAt;
  }
  const paidTheDueOne = nextPaymentAt > subscription.nextPaymentAt;
  const fields = {
    paymentCount,
    nextPaymentAt,
    ...(paidTheDueOne ? { failureCount: 0, nextAttemptAt: nextPaymentAt, claimedUntil: null } : {}),
  };
  if (subscription.status === 'PAST_DUE' && paidTheDueOne) {
    const recovered = { from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_recovered' } as const;
    await transition(tx, subscription.id, recovered, now, fields);
  } else {
    await tx.subscription.update({ where: { id: subscription.id }, data: fields });
  }
  return nextPaymentAt;
}
