import { newestSubscriptionNamed } from '../../../domain/kernel/input/subscription-named.ts';
import { notFound } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';

/**
 * Finds a subscription by `lifeId`, or the newest one at an address.
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
    ...newestSubscriptionNamed(scopeOf(context), id),
  });
  if (!subscription) throw notFound('subscription', 'id');
  return subscription;
}
