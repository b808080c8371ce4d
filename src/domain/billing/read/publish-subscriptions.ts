import type { AppContext } from '../../../app.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';

/** Publishes changed subscriptions after the commit, and notifies the relay of events once. */
export async function publishSubscriptions(
  ctx: Pick<AppContext, 'live' | 'jobs' | 'log'>,
  subscriptions: readonly Pick<Subscription, 'id' | 'merchantId' | 'environment'>[],
): Promise<void> {
  if (subscriptions.length === 0) return;
  await Promise.all(
    subscriptions.map(({ id: subscriptionId, merchantId, environment }) =>
      ctx.live.publish('subscription.updated', { merchantId, environment, subscriptionId }),
    ),
  );
  await notifyRelay(ctx);
}
