import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { cancelTransaction } from '../../chain/cancel-transactions.ts';
import { TransactionRefused } from '../../chain/transaction-refused.ts';
import type { DbTransaction } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import { chainOf } from '../merchant/chain-of.ts';
import type { Scope } from '../merchant/scope.ts';
import { type BillableSubscription, lockSubscription } from '../payment/billable.ts';
import { announceSubscription } from './announce-subscription.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { COLLECTING } from './status.ts';

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
 * The merchant stops collection. Asking again changes nothing and answers with a fresh transaction.
 *
 * @throws BillingError not_found, or invalid_request where it has expired; param `subscription`
 */
export async function cancelSubscription(
  ctx: AppContext,
  scope: Scope,
  { subscription: name, when }: CancelSubscriptionInput,
): Promise<CancelledSubscription> {
  const found = await getSubscription(ctx, scope, name);
  const changed = await ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, found.id);
    if (subscription.status === 'EXPIRED') {
      throw invalidRequest('subscription', 'The subscription has expired: nothing is collected any more.');
    }
    if (!COLLECTING.includes(subscription.status)) return false;
    if (when === 'PERIOD_END') {
      if (subscription.cancelAtPeriodEnd) return false;
      await tx.subscription.update({ where: { id: subscription.id }, data: { cancelAtPeriodEnd: true } });
      return true;
    }
    const at = ctx.clock.now();
    const accessUntil = paidThrough(subscription, at);
    return endSubscription(tx, subscription, { reason: 'cancelled_by_merchant', accessUntil, at });
  });
  if (changed) await announceSubscription(ctx, found);
  return {
    subscription: await getSubscription(ctx, scope, found.id),
    transaction: await transactionFor(ctx, found),
  };
}

/**
 * The period that the merchant let run out is over at `endedAt`: cancelled instead of collecting the next one. The
 * caller has locked the row.
 */
export async function cancelAtPeriodEnd(
  ctx: Pick<AppContext, 'clock'>,
  tx: DbTransaction,
  subscription: BillableSubscription,
  endedAt: Date,
): Promise<void> {
  await endSubscription(tx, subscription, {
    reason: 'cancelled_by_merchant',
    accessUntil: endedAt,
    at: ctx.clock.now(),
  });
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
