import type { Db } from '../../../db/db.ts';
import { paymentsWhere } from '../../billing/read/list-payments.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { findDuplicates } from './find-duplicates.ts';
import { PLAN_AND_CUSTOMER, paymentHit, type SearchHit } from './search-hit.ts';

/**
 * The payments of a transaction, and the checkout session for which it created a further
 * subscription.
 */
export async function findBySignature(
  db: Db,
  scope: Scope,
  signature: string,
  max: number,
): Promise<SearchHit[]> {
  const [payments, duplicates] = await Promise.all([
    db.payment.findMany({
      where: await paymentsWhere(db, scope, { signature }),
      include: { subscription: { include: PLAN_AND_CUSTOMER } },
      take: max,
    }),
    findDuplicates(db, scope, { signature }, max),
  ]);
  return [...payments.map(paymentHit), ...duplicates];
}
