import { subscriptionNamed } from '../domain/subscription/subscription-named.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type GraphqlContext, scopeOf } from './context.ts';

/**
 * The life that an id means: the newest at an address.
 *
 * @throws BillingError not_found, param `id`
 */
export async function findSubscription(
  context: GraphqlContext,
  id: string,
  query: { include?: Prisma.SubscriptionInclude; select?: Prisma.SubscriptionSelect } = {},
) {
  const subscription = await context.app.db.subscription.findFirst({
    ...query,
    where: { ...scopeOf(context), ...subscriptionNamed(id) },
    orderBy: { chainCreatedAt: 'desc' },
  });
  if (!subscription) throw notFound('subscription', 'id');
  return subscription;
}
