import { isAddress } from '@solana/kit';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Scope } from '../access/scope.ts';
import { isId } from './valid-text.ts';

/** The filter for an id: our id names one subscription, an address all subscriptions there. */
export function subscriptionNamed(id: string): { id: string } | { address: string } {
  return isId(id) ? { id } : { address: id };
}

/**
 * The query for one subscription of a merchant: the newest at an address or the one with our id.
 */
export function newestSubscriptionNamed({ merchantId, environment }: Scope, id: string) {
  return {
    where: { merchantId, environment, ...subscriptionNamed(id) },
    orderBy: { chainCreatedAt: 'desc' },
  } as const;
}

/**
 * The filter for rows that belong to the subscriptions at an address, or to one subscription; an
 * unknown id matches nothing.
 *
 * @throws BillingError invalid_request, param `subscriptionId`, if it is neither
 */
export async function ofSubscription(
  db: Pick<DbTransaction, 'subscription'>,
  { merchantId, environment }: Scope,
  id: string,
): Promise<{ subscriptionId: { in: string[] } }> {
  if (!isId(id) && !isAddress(id)) {
    throw invalidRequest(
      'subscriptionId',
      'subscriptionId must be the address of a subscription (base58), or its lifeId (a UUID).',
    );
  }
  const subscriptions = await db.subscription.findMany({
    where: { merchantId, environment, ...subscriptionNamed(id) },
    select: { id: true },
  });
  return { subscriptionId: { in: subscriptions.map(({ id }) => id) } };
}
