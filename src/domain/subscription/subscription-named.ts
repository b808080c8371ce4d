import { isAddress } from '@solana/kit';
import type { DbTransaction } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import type { Scope } from '../merchant/scope.ts';
import { isId } from '../merchant/valid-text.ts';

/** Which rows an id means: an address all lives there, one of our ids a single life. */
export function subscriptionNamed(id: string): { id: string } | { address: string } {
  return isId(id) ? { id } : { address: id };
}

/**
 * The condition for what belongs to the subscription at an address, all its lives, or to one life; to an unknown one
 * nothing does.
 *
 * @throws BillingError invalid_request, param `subscriptionId`, for what can be neither
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
  const lives = await db.subscription.findMany({
    where: { merchantId, environment, ...subscriptionNamed(id) },
    select: { id: true },
  });
  return { subscriptionId: { in: lives.map((life) => life.id) } };
}
