import type { AppContext } from '../../../app.ts';
import { changeSubscription } from './change-subscriptions.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';

/**
 * Cancels a subscription whose plan has ended on chain, at its next due date, because nothing can
 * be collected any more.
 */
export async function endWithPlan(ctx: AppContext, subscriptionId: string): Promise<void> {
  await changeSubscription(ctx, subscriptionId, ({ book }, at) =>
    endSubscription(book, { reason: 'plan_over', accessUntil: paidThrough(book.subscription, at), at }),
  );
}
