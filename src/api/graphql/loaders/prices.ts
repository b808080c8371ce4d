import type { Price } from '../../../generated/prisma/client.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads a price by its UUID. */
export const loadPrice = batchLoader<string, Price | null>(async ({ app }, ids) => {
  const prices = await app.db.price.findMany({ where: { id: { in: [...ids] } } });
  const byId = new Map(prices.map((price) => [price.id, price]));
  return ids.map((id) => byId.get(id) ?? null);
});
