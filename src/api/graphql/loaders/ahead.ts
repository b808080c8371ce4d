import type { Ahead } from '../../../domain/billing/read/ahead-of.ts';
import { readAhead } from '../../../domain/billing/read/upcoming-payment.ts';
import { batchLoader } from './batch-loader.ts';

const NOTHING: Ahead = { upcomingPayment: null, limitLeft: null };

/** Loads the next payment of a subscription and what is left of its limit, by the subscription's UUID. */
export const loadAhead = batchLoader<string, Ahead>(async ({ app }, ids) => {
  const ahead = await readAhead(app.db, ids, app.clock.now());
  return ids.map((id) => ahead.get(id) ?? NOTHING);
});
