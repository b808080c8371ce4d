import type { DbTransaction } from '../../../../db/db.ts';
import { notFound } from '../../../../errors.ts';
import type { Prisma } from '../../../../generated/prisma/client.ts';
import type { Scope } from '../../../kernel/access/scope.ts';
import { isId } from '../../../kernel/input/valid-text.ts';

type Query = Pick<Prisma.DeliveryFindFirstArgs, 'include' | 'select'>;

/**
 * A merchant's delivery.
 *
 * @throws BillingError not_found, with that param
 */
export async function findDelivery<Q extends Query>(
  db: Pick<DbTransaction, 'delivery'>,
  { merchantId, environment }: Scope,
  id: string,
  param: string,
  query?: Q,
): Promise<Prisma.DeliveryGetPayload<Q>> {
  const where = { id, merchantId, environment };
  const delivery = isId(id) ? await db.delivery.findFirst({ ...query, where }) : null;
  if (!delivery) throw notFound('webhook delivery', param);
  return delivery as Prisma.DeliveryGetPayload<Q>;
}
