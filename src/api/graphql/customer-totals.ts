import DataLoader from 'dataloader';
import { customerTotals, type PaidAmount } from '../../domain/customer/customer-totals.ts';
import type { GraphqlContext } from './context.ts';

const loaders = new WeakMap<GraphqlContext, DataLoader<string, PaidAmount[]>>();

/** What a customer has paid, by our id. All customers of one response are loaded together. */
export function loadCustomerTotals(context: GraphqlContext, customerId: string): Promise<PaidAmount[]> {
  const loader = loaders.get(context) ?? createLoader(context);
  loaders.set(context, loader);
  return loader.load(customerId);
}

// Nothing is cached: a live stream sends many responses in one context.
function createLoader({ app }: GraphqlContext): DataLoader<string, PaidAmount[]> {
  const read = async (customerIds: readonly string[]) => {
    const totals = await customerTotals(app.db, customerIds);
    return customerIds.map((id) => totals.get(id) ?? []);
  };
  return new DataLoader(read, { cache: false });
}
