import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { cancelTransaction } from '../../chain/cancel-transactions.ts';
import { TransactionRefused } from '../../chain/transaction-refused.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { chainOf } from '../merchant/chain-of.ts';
import type { BillableSubscription } from '../payment/billable.ts';
import { openBooks } from '../payment/books/read-books.ts';
import { announceSubscriptions } from './announce-subscriptions.ts';
import { changeLives, changeSubscription, type OpenLife } from './change-lives.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { getSubscription } from './get-subscription.ts';

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
    const books = [...(await openBooks(tx, [found.id])).values()];
    const changed = await changeLives(tx, books, ctx.clock.now(), (life, at) =>
      stopCollection(life, when, at),
    );
    if (changed.length > 0) {
      const changes = newFields({ when });
      await recordAudit(ctx, tx, by, { action: 'subscription.cancelled', targetId: found.id, changes });
    }
    return changed;
  });
  await announceSubscriptions(ctx, changed);
  return {
    subscription: await getSubscription(ctx, by, found.id),
    transaction: await transactionFor(ctx, found),
  };
}

function stopCollection(life: OpenLife, when: CancelSubscriptionInput['when'], at: Date): boolean {
  const { book } = life;
  if (when === 'PERIOD_END') return letPeriodRunOut(life);
  if (book.subscription.status === 'CANCELLED') return forbidResuming(life);
  // There is no period left to run out.
  if (book.subscription.cancelAtPeriodEnd) book.set({ cancelAtPeriodEnd: false });
  const accessUntil = paidThrough(book.subscription, at);
  return endSubscription(book, { reason: 'cancelled_by_merchant', accessUntil, at });
}

/** Remembered of one that the customer has cancelled as well: it holds if the customer resumes it. */
function letPeriodRunOut({ book, lastReason }: OpenLife): boolean {
  const { status, cancelAtPeriodEnd } = book.subscription;
  if (cancelAtPeriodEnd || status === 'EXPIRED') return false;
  if (status === 'CANCELLED' && !isResumable(lastReason)) return false;
  book.set({ cancelAtPeriodEnd: true });
  return true;
}

/** The customer had cancelled first, on chain, and could take that back: from now on it is the merchant's cancellation. */
function forbidResuming({ book, lastReason }: OpenLife): boolean {
  if (!isResumable(lastReason)) return false;
  book.move({ from: 'CANCELLED', to: 'CANCELLED', reason: 'cancelled_by_merchant' });
  return true;
}

function isResumable(lastReason: string | undefined): boolean {
  return lastReason === 'cancelled_on_chain';
}

/** The period that the merchant let run out is over: cancelled instead of collecting the next one. */
export async function endPeriod(ctx: AppContext, subscriptionId: string): Promise<void> {
  await changeSubscription(ctx, subscriptionId, ({ book }, at) => {
    const { cancelAtPeriodEnd, nextPaymentAt: accessUntil } = book.subscription;
    if (!cancelAtPeriodEnd || accessUntil > at) return false;
    return endSubscription(book, { reason: 'cancelled_by_merchant', accessUntil, at });
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
