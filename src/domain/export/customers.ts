import type { AppContext } from '../../app.ts';
import type { Customer } from '../../generated/prisma/client.ts';
import { type CustomerFilter, customerIds, customersWhere } from '../customer/list-customers.ts';
import type { Scope } from '../merchant/scope.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { readOn } from './oldest-first.ts';

const columns: Columns<Customer> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  customerId: ({ customerId }) => customerId,
  walletAddress: ({ walletAddress }) => walletAddress,
  createdAt: ({ createdAt }) => createdAt,
};

/** Customers that a filter lets through. @throws BillingError invalid_request, param `search` or `to` */
export function customersExport(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  filter: CustomerFilter,
): CsvSource<Customer> {
  // Before anything is told of it.
  customersWhere(scope, filter);
  return {
    columns,
    read: async (cursor, take) => {
      const ids = await customerIds(db, scope, filter, { take: -take, cursor });
      return db.customer.findMany(readOn({ id: { in: ids } }, undefined, take));
    },
  };
}
