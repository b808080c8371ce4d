import type { Customer } from '../../../generated/prisma/client.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads a customer by UUID. The caller must know that the row with this UUID is of its merchant. */
export const loadCustomer = batchLoader<string, Customer>(async ({ app }, ids) => {
  const customers = await app.db.customer.findMany({ where: { id: { in: [...ids] } } });
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return ids.map((id) => {
    const customer = byId.get(id);
    if (!customer) throw new Error(`There is no customer ${id}, but a payment names it.`);
    return customer;
  });
});
