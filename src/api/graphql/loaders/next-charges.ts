import { type NextCharge, nextCharges } from '../../../domain/insight/forecast/next-charges.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads the next payment of a customer, by the customer's UUID. */
export const loadNextCharge = batchLoader<string, NextCharge | null>(async ({ app }, customerIds) => {
  const charges = await nextCharges(app.db, customerIds);
  return customerIds.map((id) => charges.get(id) ?? null);
});
