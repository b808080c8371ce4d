import type { AppContext } from '../../src/app.ts';
import { shortWallets } from '../../src/domain/insight/forecast/short-wallets.ts';
import { upcomingCharges } from '../../src/domain/insight/forecast/upcoming-charges.ts';
import { checkoutConversion } from '../../src/domain/insight/metrics/checkout-conversion.ts';
import { endpointStats } from '../../src/domain/messages/webhook/endpoint-stats.ts';
import type { BenchQuery } from './list.ts';
import type { GrownMerchant } from './seed.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The dashboard's queries that sum few rows. Their cost grows with the rows that they sum. */
export function listPageQueries(
  ctx: AppContext,
  { scope, endpointId }: GrownMerchant,
  n: number,
): BenchQuery[] {
  const now = new Date();
  const tomorrow = new Date(now.getTime() + DAY_MS);
  const lastMonth = new Date(now.getTime() - 30 * DAY_MS).toISOString().slice(0, 10);
  // The newest delivery was created then. The hour begins five minutes before it.
  const newestDeliveryMs = now.getTime() - n * 1_000;
  const queries: Record<string, () => Promise<unknown>> = {
    'checkouts converted': () => checkoutConversion(ctx, scope, { from: lastMonth, to: lastMonth }),
    'charges forecast': () => upcomingCharges(ctx, scope, { now, end: now }),
    'wallets with too little': () => shortWallets(ctx, scope, { now, end: tomorrow }, undefined),
    'endpoint statistics': () =>
      endpointStats(ctx.db, { id: endpointId }, 1, new Date(newestDeliveryMs - 300_000 + HOUR_MS)),
  };
  return Object.entries(queries).map(([name, run]) => ({ name, run }));
}
