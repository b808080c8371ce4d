import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { settledWithin } from '../../../async/settled-within.ts';
import { cancelTransaction } from '../../../chain/transactions/cancel-transactions.ts';
import { TransactionRefused } from '../../../chain/transactions/transaction-refused.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { keepChange } from '../../../jobs/kept-changes.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { readBooks } from '../book/read-books.ts';
import { isCancelledOnChain, isUnpaid } from '../book/status.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import type { BillableSubscription } from '../schedule/billable.ts';
import {
  type CancellationFeedback,
  openRequest,
  recordRequest,
  validFeedback,
} from './cancellation-feedback.ts';
import { changeBooks, changeSubscription, type LockedSubscription } from './change-subscriptions.ts';
import { type Ending, endSubscription, paidThrough } from './end-subscription.ts';
import { recordScheduled } from './scheduled-cancellation.ts';

/** Maximum time that a cancellation waits for the cluster after it is stored. */
const MAX_CHAIN_MS = 5_000;

export interface CancelSubscriptionInput {
  /** Its address on chain, or our id. */
  readonly subscription: string;
  /**
   * `PERIOD_END`: it stays active until the next due date and is then cancelled instead of
   * collected. One that is PAST_DUE has not paid its period: it is cancelled now.
   */
  readonly when: 'NOW' | 'PERIOD_END';
  /** The customer's reason and comment. */
  readonly feedback?: CancellationFeedback;
}

export interface CancelledSubscription {
  readonly subscription: BillableSubscription;
  /**
   * Unsigned, in base64: cancels on chain, which only the customer's wallet can do. Null if there
   * is nothing to cancel or the cluster does not respond in time.
   */
  readonly transaction: string | null;
}

/**
 * Stops collection on behalf of the customer, if the customer is the actor, or else of the
 * merchant. A repeated call, or one for an expired subscription, changes nothing.
 *
 * @throws BillingError not_found, param `subscription`; invalid_request, param `comment`
 */
export async function cancelSubscription(
  ctx: AppContext,
  scope: ActingScope,
  { subscription: name, when, feedback = {} }: CancelSubscriptionInput,
): Promise<BillableSubscription> {
  const validatedFeedback = validFeedback(feedback);
  const { id } = await getSubscription(ctx, scope, name);
  const at = ctx.clock.now();
  const changed = await inTransaction(ctx, async (tx) => {
    const books = [...(await readBooks(tx, [id])).values()];
    const now = ctx.clock.now();
    const changed = await changeBooks(tx, books, now, (locked, at) =>
      stopCollection(locked, { when, feedback: validatedFeedback, actor: scope.actor, at }),
    );
    if (changed.length > 0) {
      await recordRequest(tx, id, scope.actor, validatedFeedback, now);
      const changes = newFields({
        when,
        ...(validatedFeedback.reason && { reason: validatedFeedback.reason }),
      });
      await recordAudit(ctx, tx, scope, { action: 'subscription.cancelled', targetId: id, changes });
    }
    return changed;
  });
  const subscription = await getSubscription(ctx, scope, id);
  // Also after a repeated call: the process may have ended between the first one's commit and this.
  const hasEnded = subscription.status === 'CANCELLED' && (when === 'NOW' || changed.length > 0);
  if (subscription.cancelAtPeriodEnd || hasEnded) {
    const { merchantId, environment, actor } = scope;
    const byCustomer = actor?.kind === 'CUSTOMER';
    const kept = { merchantId, environment, id, when, byCustomer, at };
    await keepChange(ctx, { kind: 'subscription.cancelled', ...kept });
  }
  await publishSubscriptions(ctx, changed);
  return subscription;
}

/**
 * Cancels as `cancelSubscription` does. Each call also returns a new transaction that cancels on
 * chain.
 *
 * @throws BillingError not_found, param `subscription`
 */
export async function cancelWithTransaction(
  ctx: AppContext,
  scope: ActingScope,
  input: CancelSubscriptionInput,
): Promise<CancelledSubscription> {
  const subscription = await cancelSubscription(ctx, scope, input);
  return { subscription, transaction: await cancellationTransaction(ctx, subscription) };
}

interface Stop extends Pick<CancelSubscriptionInput, 'when'> {
  readonly feedback: CancellationFeedback;
  readonly actor: ActingScope['actor'];
  readonly at: Date;
}

function stopCollection(locked: LockedSubscription, { when, feedback, actor, at }: Stop): boolean {
  const { book } = locked;
  // If it is past due, its period is not paid, and may be over only much later.
  if (when === 'PERIOD_END' && book.subscription.status !== 'PAST_DUE') {
    return cancelAtPeriodEnd(locked, feedback, at);
  }
  if (book.subscription.status === 'CANCELLED') return forbidResuming(locked);
  // The subscription ends now: its cancellation at the end of the period no longer applies.
  if (book.subscription.cancelAtPeriodEnd) book.set({ cancelAtPeriodEnd: false });
  const accessUntil = paidThrough(book.subscription, at);
  return endSubscription(book, {
    ...requestedBy(actor?.kind === 'CUSTOMER' ? feedback : null),
    accessUntil,
    at,
  });
}

/**
 * Stores a cancellation at the end of the period, also for a subscription that the customer has
 * cancelled on chain: it applies if the customer resumes, and is an event then, because the
 * merchant knows that subscription as cancelled.
 */
function cancelAtPeriodEnd(
  { book, lastReason }: LockedSubscription,
  feedback: CancellationFeedback,
  at: Date,
): boolean {
  const { status, cancelAtPeriodEnd, nextPaymentAt, nextAttemptAt } = book.subscription;
  if (cancelAtPeriodEnd || status === 'EXPIRED') return false;
  if (status === 'CANCELLED' && !isCancelledOnChain(lastReason)) return false;
  // Releases the claim of a worker that is collecting the due payment, so that it sends nothing.
  book.set({ cancelAtPeriodEnd: true, claimedUntil: null });
  // It ends at its due date, which may have passed, and not when its payment would be attempted.
  if (nextAttemptAt && nextAttemptAt > nextPaymentAt) book.set({ nextAttemptAt: nextPaymentAt });
  if (status !== 'CANCELLED') recordScheduled(book, feedback, at);
  return true;
}

/**
 * Replaces the customer's cancellation on chain by the merchant's, so that the customer alone can
 * no longer resume.
 */
function forbidResuming({ book, lastReason }: LockedSubscription): boolean {
  if (!isCancelledOnChain(lastReason)) return false;
  book.transition({ from: 'CANCELLED', to: 'CANCELLED', reason: 'cancelled_by_merchant' });
  return true;
}

/** Cancels a subscription whose last period is over, instead of collecting from it. */
export async function endPeriod(ctx: AppContext, subscriptionId: string): Promise<void> {
  const request = await openRequest(ctx.db, subscriptionId);
  await changeSubscription(ctx, subscriptionId, ({ book }, at) => {
    const { subscription } = book;
    const { cancelAtPeriodEnd, nextPaymentAt } = subscription;
    if (!cancelAtPeriodEnd || nextPaymentAt > at) return false;
    const accessUntil = isUnpaid(subscription) ? subscription.accessUntil : nextPaymentAt;
    return endSubscription(book, { ...requestedBy(request), accessUntil, at });
  });
}

/** The reason and the feedback of an end that the customer requested, or else the merchant. */
function requestedBy(
  request: Partial<NonNullable<Ending['feedback']>> | CancellationFeedback | null,
): Pick<Ending, 'reason' | 'feedback'> {
  if (!request) return { reason: 'cancelled_by_merchant' };
  const { reason = null, comment = null } = request;
  return { reason: 'cancelled_by_customer', feedback: { reason, comment } };
}

async function cancellationTransaction(
  ctx: AppContext,
  { environment, walletAddress, plan, id }: BillableSubscription,
): Promise<string | null> {
  try {
    const creating = cancelTransaction(chainOf(ctx, environment), {
      subscriber: address(walletAddress),
      plan: address(plan.address),
    });
    if (await settledWithin([creating], MAX_CHAIN_MS)) return await creating;
    ctx.log.warn({ subscription: id }, 'cluster does not respond: cancellation stored without a transaction');
  } catch (err) {
    // The cancellation is already stored, so an unreachable cluster must not make it look failed.
    if (!(err instanceof TransactionRefused)) {
      ctx.log.warn({ err, subscription: id }, 'cancellation stored without a transaction for the wallet');
    }
  }
  return null;
}
