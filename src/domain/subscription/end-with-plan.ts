import type { AppContext } from '../../app.ts';
import { changeSubscription } from './change-lives.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';

/** Its plan is over on chain, and nothing can ever be collected again: cancelled when its next payment would be due. */
export async function endWithPlan(ctx: AppContext, subscriptionId: string): Promise<void> {
  await changeSubscription(ctx, subscriptionId, ({ book }, at) =>
    endSubscription(book, { reason: 'plan_over', accessUntil: paidThrough(book.subscription, at), at }),
  );
}
