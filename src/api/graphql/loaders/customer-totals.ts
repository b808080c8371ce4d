import { customerTotals, type PaidAmount } from '../../../domain/accounts/customer/customer-totals.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads the amounts that a customer has paid, by the customer's UUID. */
export const loadCustomerTotals = batchLoader<string, PaidAmount[]>(async ({ app }, customerIds) => {
  const totals = await customerTotals(app.db, customerIds);
  return customerIds.map((id) => totals.get(id) ?? []);
});
