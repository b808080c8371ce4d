import type { DbTransaction } from '../../../db/db.ts';
import { notFound } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

type Query = Pick<Prisma.PaymentLinkFindFirstArgs, 'include' | 'select'>;

/** A merchant's payment link. @throws BillingError not_found, param `id` */
export async function findLink<Q extends Query>(
  db: Pick<DbTransaction, 'paymentLink'>,
  { merchantId, environment }: Scope,
  id: string,
  query?: Q,
): Promise<Prisma.PaymentLinkGetPayload<Q>> {
  const where = { id, merchantId, environment };
  const link = isId(id) ? await db.paymentLink.findFirst({ ...query, where }) : null;
  if (!link) throw notFound('payment link', 'id');
  return link as Prisma.PaymentLinkGetPayload<Q>;
}
