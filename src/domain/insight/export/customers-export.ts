import type { AppContext } from '../../../app.ts';
import type { Customer } from '../../../generated/prisma/client.ts';
import { type CustomerFilter, customerIds, customersWhere } from '../../accounts/customer/list-customers.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';

const columns: Columns<Customer> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  customerId: ({ customerId }) => customerId,
  walletAddress: ({ walletAddress }) => walletAddress,
  createdAt: ({ createdAt }) => createdAt,
};

/**
 * Exports the customers that match a filter.
 *
 * @throws BillingError invalid_request, param `search` or `to`
 */
export function customersExport(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  filter: CustomerFilter,
): CsvSource<Customer> {
  // Validates the filter before the response begins.
  customersWhere(scope, filter);
  return {
    columns,
    read: async (cursor, take) => {
      const ids = await customerIds(db, scope, filter, { take: -take, cursor });
      return db.customer.findMany(pageAfter({ id: { in: ids } }, undefined, take));
    },
  };
}
