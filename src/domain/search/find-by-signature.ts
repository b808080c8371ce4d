import type { Db } from '../../db/db.ts';
import type { Scope } from '../access/scope.ts';
import { paymentsWhere } from '../billing/read/list-payments.ts';
import { PLAN_AND_CUSTOMER, paymentHit, type SearchHit } from './search-hit.ts';

/** The payments of a transaction. */
export async function findBySignature(
  db: Db,
  scope: Scope,
  signature: string,
  max: number,
): Promise<SearchHit[]> {
  const payments = await db.payment.findMany({
    where: await paymentsWhere(db, scope, { signature }),
    include: { subscription: { include: PLAN_AND_CUSTOMER } },
    take: max,
  });
  return payments.map(paymentHit);
}
