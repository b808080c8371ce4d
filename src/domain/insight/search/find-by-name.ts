import type { Db } from '../../../db/db.ts';
import { customerIds } from '../../accounts/customer/list-customers.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import {
  customerHit,
  PLAN_AND_CUSTOMER,
  planHit,
  type SearchHit,
  sessionHit,
  subscriptionHit,
} from './search-hit.ts';

/**
 * The plan with this id of the merchant, the checkout session with this id, and customers whose
 * email or id begins with the text or whose wallet it is, newest first, with their subscriptions.
 */
export async function findByName(db: Db, scope: Scope, text: string, max: number): Promise<SearchHit[]> {
  const { merchantId, environment } = scope;
  const [plan, session, ids] = await Promise.all([
    db.plan.findFirst({ where: { merchantId, environment, planId: text } }),
    db.checkoutSession.findFirst({
      where: { id: text, merchantId, environment },
      include: { plan: { select: { name: true } } },
    }),
    customerIds(db, scope, { search: text }, { take: max, cursor: undefined }),
  ]);
  const customers = await db.customer.findMany({ where: { id: { in: ids } } });
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  const subscriptions = await db.subscription.findMany({
    where: { merchantId, environment, customerId: { in: ids } },
    include: PLAN_AND_CUSTOMER,
    take: max,
  });
  return [
    ...(plan ? [planHit(plan)] : []),
    ...(session ? [sessionHit(session)] : []),
    ...ids.flatMap((id) => byId.get(id) ?? []).map(customerHit),
    ...subscriptions.map(subscriptionHit),
  ];
}
