import type { AppContext } from '../../../app.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import { isClaimed, readClaimTime } from '../../../db/claim.ts';
import { invalidRequest } from '../../../errors.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import type { Book } from '../book/book.ts';
import { readBooks } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { changeBooks } from '../lifecycle/change-subscriptions.ts';
import { getSubscription } from '../read/get-subscription.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import type { BillableSubscription } from '../schedule/billable.ts';
import { runningPeriod } from '../schedule/collectable-period.ts';

/**
 * Makes the open payment of a subscription due now instead of at its next retry. It is claimed and
 * collected like any other; a failure counts like any other.
 *
 * @throws BillingError not_found, or invalid_request if no payment is open or an attempt is
 *   running; param `subscription`
 */
export async function retryPayment(
  ctx: AppContext,
  scope: ActingScope,
  name: string,
): Promise<BillableSubscription> {
  const { id } = await getSubscription(ctx, scope, name);
  await assertClockAgrees(ctx, chainOf(ctx, scope.environment));
  const changed = await inTransaction(ctx, async (tx) => {
    const books = [...(await readBooks(tx, [id])).values()];
    const time = await readClaimTime(tx, ctx.clock);
    const changed = await changeBooks(tx, books, ctx.clock.now(), ({ book }, at) => {
      assertOpen(book, at, time);
      const { nextAttemptAt } = book.subscription;
      const isDue = nextAttemptAt !== null && nextAttemptAt <= at;
      book.set({ nextAttemptAt: isDue ? nextAttemptAt : at, claimedUntil: null });
      return true;
    });
    await recordAudit(ctx, tx, scope, { action: 'payment.retried', targetId: id });
    return changed;
  });
  await publishSubscriptions(ctx, changed);
  return getSubscription(ctx, scope, id);
}

function assertOpen({ subscription, payments }: Book, now: Date, time: Date): void {
  const { status, nextPaymentAt, nextAttemptAt, cancelAtPeriodEnd } = subscription;
  const refuse = (why: string) => invalidRequest('subscription', `${why}.`);
  if (!COLLECTING.includes(status)) throw refuse('The subscription has ended: nothing is collected from it');
  // A payment whose period is over is not collected any more.
  const open = dateOf(runningPeriod(subscription, now).dueAt);
  const nextDueAt = new Date(Math.max(open.getTime(), nextPaymentAt.getTime()));
  if (nextDueAt > now) throw refuse(`No payment is open: the next one is due at ${nextDueAt.toISOString()}`);
  if (cancelAtPeriodEnd) throw refuse('No payment is open: the subscription ends with this period');
  const isAttempted = nextAttemptAt === null || isClaimed(subscription, time);
  if (isAttempted || payments.some(({ submitted }) => submitted)) {
    throw refuse('An attempt is in progress: wait for its outcome');
  }
}
