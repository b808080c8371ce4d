import type { Db } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { findDuplicates } from './find-duplicates.ts';
import { PLAN_AND_CUSTOMER, planHit, type SearchHit, subscriptionHit } from './search-hit.ts';

/**
 * The plan and the subscriptions at an address, and the checkout sessions for which a further wallet
 * has subscribed, by that wallet or the address of its subscription.
 */
export async function findByAddress(
  db: Db,
  { merchantId, environment }: Scope,
  address: string,
  max: number,
): Promise<SearchHit[]> {
  const where = { merchantId, environment, address };
  const [plan, subscriptions, duplicates] = await Promise.all([
    db.plan.findFirst({ where }),
    db.subscription.findMany({ where, include: PLAN_AND_CUSTOMER, take: max }),
    findDuplicates(db, { merchantId, environment }, { OR: [{ address }, { walletAddress: address }] }, max),
  ]);
  return [...(plan ? [planHit(plan)] : []), ...subscriptions.map(subscriptionHit), ...duplicates];
}
