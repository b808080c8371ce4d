import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { cancelTransaction } from '../../chain/cancel-transactions.ts';
import { TransactionRefused } from '../../chain/transaction-refused.ts';
import type { DbTransaction } from '../../db.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { type BillableSubscription, lockSubscription } from '../payment/billable.ts';
import { announceSubscription } from './announce-subscription.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { lastReason } from './last-reason.ts';
import { transition } from './transition.ts';

export interface CancelSubscriptionInput {
  /** Its address on chain, or our id. */
  readonly subscription: string;
  /** `PERIOD_END`: it stays active until the next payment would be due, and is cancelled instead. */
  readonly when: 'NOW' | 'PERIOD_END';
}

export interface CancelledSubscription {
  readonly subscription: BillableSubscription;
  /**
   * Unsigned, in base64: takes the approval back on chain, which only the customer's wallet can. Null where there is
   * nothing to take back, or the cluster does not answer just now.
   */
  readonly transaction: string | null;
}

/**
 * The merchant stops collection. Asking again changes nothing and answers with a fresh transaction; so does asking about
 * one that has expired.
 *
 * @throws BillingError not_found, param `subscription`
 */
export async function cancelSubscription(
  ctx: AppContext,
  by: ActingScope,
  { subscription: name, when }: CancelSubscriptionInput,
): Promise<CancelledSubscription> {
  const found = await getSubscription(ctx, by, name);
  const changed = await ctx.db.$transaction(async (tx) => {
    const changed = await stopCollection(tx, await lockSubscription(tx, found.id), when, ctx.clock.now());
    if (changed) {
      const changes = newFields({ when });
      await recordAudit(ctx, tx, by, { action: 'subscription.cancelled', targetId: found.id, changes });
    }
    return changed;
  });
  if (changed) await announceSubscription(ctx, found);
  return {
    subscription: await getSubscription(ctx, by, found.id),
    transaction: await transactionFor(ctx, found),
  };
}

async function stopCollection(
  tx: DbTransaction,
  subscription: BillableSubscription,
  when: CancelSubscriptionInput['when'],
  at: Date,
): Promise<boolean> {
  if (when === 'PERIOD_END') return letPeriodRunOut(tx, subscription);
  if (subscription.status === 'CANCELLED') return forbidResuming(tx, subscription, at);
  if (subscription.cancelAtPeriodEnd) await forgetPeriodEnd(tx, subscription);
  const accessUntil = paidThrough(subscription, at);
  return endSubscription(tx, subscription, { reason: 'cancelled_by_merchant', accessUntil, at });
}

/** Remembered of one that the customer has cancelled as well: it holds if the customer resumes it. */
async function letPeriodRunOut(
  tx: DbTransaction,
  { id, status, cancelAtPeriodEnd }: BillableSubscription,
): Promise<boolean> {
  if (cancelAtPeriodEnd || status === 'EXPIRED') return false;
  if (status === 'CANCELLED' && !(await isResumable(tx, id))) return false;
  await tx.subscription.update({ where: { id }, data: { cancelAtPeriodEnd: true } });
  return true;
}

/** There is no period left to run out. */
async function forgetPeriodEnd(tx: DbTransaction, { id }: BillableSubscription): Promise<void> {
  await tx.subscription.update({ where: { id }, data: { cancelAtPeriodEnd: false } });
}

/** The customer had cancelled first, on chain, and could take that back: from now on it is the merchant's cancellation. */
async function forbidResuming(tx: DbTransaction, { id }: BillableSubscription, at: Date): Promise<boolean> {
  if (!(await isResumable(tx, id))) return false;
  return transition(tx, id, { from: 'CANCELLED', to: 'CANCELLED', reason: 'cancelled_by_merchant' }, at);
}

async function isResumable(tx: DbTransaction, id: string): Promise<boolean> {
  return (await lastReason(tx, id)) === 'cancelled_on_chain';
}

/** The period that the merchant let run out is over: cancelled instead of collecting the next one. */
export async function endPeriod(ctx: AppContext, subscriptionId: string): Promise<void> {
  const ended = await ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const at = ctx.clock.now();
    const { cancelAtPeriodEnd, nextPaymentAt: accessUntil } = subscription;
    if (!cancelAtPeriodEnd || accessUntil > at) return undefined;
    const ending = { reason: 'cancelled_by_merchant', accessUntil, at } as const;
    return (await endSubscription(tx, subscription, ending)) ? subscription : undefined;
  });
  if (ended) await announceSubscription(ctx, ended);
}

async function transactionFor(
  ctx: AppContext,
  { environment, walletAddress, plan, id }: BillableSubscription,
): Promise<string | null> {
  try {
    return await cancelTransaction(chainOf(ctx, environment), {
      subscriber: address(walletAddress),
      plan: address(plan.address),
    });
  } catch (err) {
    // The cancellation stands in our books already; a cluster that is away must not make it look failed.
    if (!(err instanceof TransactionRefused)) {
      ctx.log.warn({ err, subscription: id }, 'no transaction for a cancellation');
    }
    return null;
  }
}
