import type { DbTransaction } from '../../db.ts';
import { notFound } from '../../errors.ts';
import type { Customer, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';
import { isId } from '../merchant/valid-text.ts';

/** By our id. @throws BillingError not_found, param `id` */
export async function getCustomer(
  { db }: { readonly db: Pick<DbTransaction, 'customer'> },
  { merchantId, environment }: Scope,
  id: string,
  query: { include?: Prisma.CustomerInclude; select?: Prisma.CustomerSelect } = {},
): Promise<Customer> {
  const customer = isId(id)
    ? await db.customer.findFirst({ ...query, where: { merchantId, environment, id } })
    : null;
  if (!customer) throw notFound('customer', 'id');
  return customer;
}
