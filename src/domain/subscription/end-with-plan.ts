import type { AppContext } from '../../app.ts';
import { lockSubscription } from '../payment/billable.ts';
import { announceSubscription } from './announce-subscription.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';

/** Its plan is over on chain, and nothing can ever be collected again: cancelled when its next payment would be due. */
export async function endWithPlan(ctx: AppContext, subscriptionId: string): Promise<void> {
  const ended = await ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const at = ctx.clock.now();
    const ending = { reason: 'plan_over', accessUntil: paidThrough(subscription, at), at } as const;
    return (await endSubscription(tx, subscription, ending)) ? subscription : undefined;
  });
  if (ended) await announceSubscription(ctx, ended);
}
