import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { keepChange } from '../../../jobs/kept-changes.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { readBooks } from '../book/read-books.ts';
import { COLLECTING, isCancelledOnChain } from '../book/status.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import type { BillableSubscription } from '../schedule/billable.ts';
import { assertMayUndo, openRequest, withdrawRequest } from './cancellation-feedback.ts';
import { changeBooks, type LockedSubscription } from './change-subscriptions.ts';
import { recordUndone } from './scheduled-cancellation.ts';

/**
 * Takes back a cancellation at the end of the period, before it takes effect. Merchant and customer
 * can each take back only their own cancellation. A subscription that is not cancelled stays as it
 * is.
 *
 * @throws BillingError not_found, or invalid_request if the subscription has ended or the other
 *   side cancelled it; param `subscription`
 */
export async function undoCancellation(
  ctx: AppContext,
  scope: ActingScope,
  name: string,
): Promise<BillableSubscription> {
  const { id } = await getSubscription(ctx, scope, name);
  const at = ctx.clock.now();
  const changed = await inTransaction(ctx, async (tx) => {
    const books = [...(await readBooks(tx, [id])).values()];
    const cancelled = books.some(({ subscription }) => subscription.cancelAtPeriodEnd);
    if (cancelled) assertMayUndo(await openRequest(tx, id), scope.actor);
    const changed = await changeBooks(tx, books, ctx.clock.now(), undoBeforeEnd);
    if (changed.length > 0) {
      await withdrawRequest(tx, id, ctx.clock.now());
      await recordAudit(ctx, tx, scope, { action: 'subscription.cancellation_undone', targetId: id });
    }
    return changed;
  });
  if (changed.length > 0) {
    const { merchantId, environment } = scope;
    await keepChange(ctx, { kind: 'subscription.cancellation_undone', merchantId, environment, id, at });
  }
  await publishSubscriptions(ctx, changed);
  return getSubscription(ctx, scope, id);
}

function undoBeforeEnd({ book, lastReason }: LockedSubscription, at: Date): boolean {
  const { status, cancelAtPeriodEnd, nextPaymentAt, nextAttemptAt } = book.subscription;
  // A customer who cancelled on chain may resume: the stored cancellation would then apply.
  const canContinue =
    COLLECTING.includes(status) || (status === 'CANCELLED' && isCancelledOnChain(lastReason));
  if (!canContinue || (cancelAtPeriodEnd && nextPaymentAt <= at)) {
    throw invalidRequest('subscription', 'The subscription has ended: the customer must subscribe again.');
  }
  if (!cancelAtPeriodEnd) return false;
  book.set({ cancelAtPeriodEnd: false });
  if (nextAttemptAt?.getTime() === nextPaymentAt.getTime()) book.set({ nextAttemptAt: book.firstAttemptAt });
  if (status !== 'CANCELLED') recordUndone(book, at);
  return true;
}
