import type { DbTransaction } from '../../../db.ts';

/** As many deliveries as the relay writes in one transaction: a second's work at worst. */
const MOST_DELIVERIES = 10_000;

export interface Batch {
  /** How many of the oldest new events to take; 0 where there is none. */
  readonly events: number;
  /** There are no others. */
  readonly isAll: boolean;
}

/**
 * How many of the oldest new events can be relayed at once: at most `limit`, and no more than endpoints make of them
 * a bounded number of deliveries, but one in any case. After the relay's lock.
 */
export async function batchThatFits(tx: DbTransaction, limit: number): Promise<Batch> {
  const [row] = await tx.$queryRaw<{ seen: number; fits: number }[]>`
    WITH oldest AS MATERIALIZED (
      SELECT "id", "merchantId", "environment" FROM "Event" WHERE "relayedAt" IS NULL ORDER BY "id" LIMIT ${limit}
    ), receivers AS (
      SELECT w."merchantId", w."environment", count(*) AS "count"
      FROM (SELECT DISTINCT "merchantId", "environment" FROM oldest) scope
      JOIN "WebhookEndpoint" w USING ("merchantId", "environment")
      WHERE w."status" = 'ENABLED' GROUP BY 1, 2
    ), growing AS (
      SELECT sum(coalesce(receivers."count", 0)) OVER (ORDER BY oldest."id") AS "deliveries"
      FROM oldest LEFT JOIN receivers USING ("merchantId", "environment")
    )
    SELECT count(*)::int AS "seen", count(*) FILTER (WHERE "deliveries" <= ${MOST_DELIVERIES})::int AS "fits" FROM growing`;
  const { seen = 0, fits = 0 } = row ?? {};
  return { events: Math.max(fits, Math.min(1, seen)), isAll: fits === seen && seen < limit };
}
