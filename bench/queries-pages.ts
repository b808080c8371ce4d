import type { AppContext } from '../src/app.ts';
import { checkoutConversion } from '../src/domain/checkout/checkout-conversion.ts';
import { shortWallets } from '../src/domain/forecast/short-wallets.ts';
import { upcomingCharges } from '../src/domain/forecast/upcoming-charges.ts';
import { endpointStats } from '../src/domain/webhook/endpoint-stats.ts';
import type { Asked } from './queries-asked.ts';
import type { Grown } from './queries-seed.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the dashboard's pages count, in ranges with few rows: the cost of others grows with them. */
export function askedByPages(ctx: AppContext, { scope, endpointId }: Grown, n: number): Asked[] {
  const now = new Date();
  const tomorrow = new Date(now.getTime() + DAY_MS);
  const lastMonth = new Date(now.getTime() - 30 * DAY_MS).toISOString().slice(0, 10);
  // The newest delivery is as old as that; the hour begins five minutes before it.
  const newestDelivery = now.getTime() - n * 1_000;
  const asks: Record<string, () => Promise<unknown>> = {
    'checkouts converted': () => checkoutConversion(ctx, scope, { from: lastMonth, to: lastMonth }),
    'charges forecast': () => upcomingCharges(ctx, scope, { now, end: now }),
    'wallets looked at': () => shortWallets(ctx, scope, { now, end: tomorrow }, undefined),
    'endpoint statistics': () =>
      endpointStats(ctx.db, { id: endpointId }, 1, new Date(newestDelivery - 300_000 + HOUR_MS)),
  };
  return Object.entries(asks).map(([name, ask]) => ({ name, ask }));
}
