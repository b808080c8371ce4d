import type { Db } from '../../db/db.ts';
import type { Scope } from '../access/scope.ts';
import { PLAN_AND_CUSTOMER, planHit, type SearchHit, subscriptionHit } from './search-hit.ts';

/** The plan and the subscriptions at an address. */
export async function findByAddress(
  db: Db,
  { merchantId, environment }: Scope,
  address: string,
  max: number,
): Promise<SearchHit[]> {
  const where = { merchantId, environment, address };
  const [plan, subscriptions] = await Promise.all([
    db.plan.findFirst({ where }),
    db.subscription.findMany({ where, include: PLAN_AND_CUSTOMER, take: max }),
  ]);
  return [...(plan ? [planHit(plan)] : []), ...subscriptions.map(subscriptionHit)];
}
