import type { DbTransaction } from '../../../db/db.ts';
import { notFound } from '../../../errors.ts';
import type { Discount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/** A merchant's discount. @throws BillingError not_found, with the given param */
export async function findDiscount(
  db: Pick<DbTransaction, 'discount'>,
  { merchantId, environment }: Scope,
  id: string,
  param = 'discountId',
): Promise<Discount> {
  const discount = isId(id) ? await db.discount.findFirst({ where: { id, merchantId, environment } }) : null;
  if (!discount) throw notFound('discount', param);
  return discount;
}
