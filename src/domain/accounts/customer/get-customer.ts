import type { DbTransaction } from '../../../db/db.ts';
import { notFound } from '../../../errors.ts';
import type { Customer, Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

/** Finds a customer by our id. @throws BillingError not_found, param `id` unless named otherwise */
export async function getCustomer(
  { db }: { readonly db: Pick<DbTransaction, 'customer'> },
  { merchantId, environment }: Scope,
  id: string,
  query: { include?: Prisma.CustomerInclude; select?: Prisma.CustomerSelect } = {},
  param = 'id',
): Promise<Customer> {
  const customer = isId(id)
    ? await db.customer.findFirst({ ...query, where: { merchantId, environment, id } })
    : null;
  if (!customer) throw notFound('customer', param);
  return customer;
}
