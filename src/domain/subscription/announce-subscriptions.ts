import type { AppContext } from '../../app.ts';
import type { Subscription } from '../../generated/prisma/client.ts';
import { nudgeRelay } from '../event/nudge-relay.ts';

/** After the books are written: tells who is listening, and wakes the relay of events once. */
export async function announceSubscriptions(
  ctx: Pick<AppContext, 'live' | 'jobs' | 'log'>,
  subscriptions: readonly Pick<Subscription, 'id' | 'merchantId' | 'environment'>[],
): Promise<void> {
  if (subscriptions.length === 0) return;
  await Promise.all(
    subscriptions.map(({ id: subscriptionId, merchantId, environment }) =>
      ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId }),
    ),
  );
  await nudgeRelay(ctx);
}
