import type { AppContext } from '../../app.ts';
import type { Subscription } from '../../generated/prisma/client.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';

/** After the books are written: tells who is listening, and wakes the relay of events. */
export async function announceSubscription(
  ctx: Pick<AppContext, 'live' | 'jobs' | 'log'>,
  { id: subscriptionId, merchantId, environment }: Pick<Subscription, 'id' | 'merchantId' | 'environment'>,
): Promise<void> {
  await ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId });
  await nudgeRelay(ctx);
}
