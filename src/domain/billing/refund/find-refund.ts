import type { DbTransaction } from '../../../db/db.ts';
import { notFound } from '../../../errors.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/** A refund with the rows that are needed to send and to recognise it. */
export const sendable = {
  include: {
    merchant: true,
    payment: {
      include: {
        subscription: { include: { plan: true, customer: true } },
        refunds: { include: { excess: { select: { amount: true } } } },
      },
    },
  },
} satisfies Prisma.RefundDefaultArgs;

export type SendableRefund = Prisma.RefundGetPayload<typeof sendable>;

type Query = Pick<Prisma.RefundFindFirstArgs, 'include' | 'select'>;

/** A merchant's refund. @throws BillingError not_found, param `id` */
export async function findRefund<Q extends Query>(
  db: Pick<DbTransaction, 'refund'>,
  { merchantId, environment }: Scope,
  id: string,
  query?: Q,
): Promise<Prisma.RefundGetPayload<Q>> {
  const where = { id, merchantId, environment };
  const refund = isId(id) ? await db.refund.findFirst({ ...query, where }) : null;
  if (!refund) throw notFound('refund', 'id');
  return refund as Prisma.RefundGetPayload<Q>;
}
