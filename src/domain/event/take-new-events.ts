import type { DbTransaction } from '../../db.ts';
import type { Event } from '../../generated/prisma/client.ts';

export type NewEvent = Pick<
  Event,
  'id' | 'merchantId' | 'environment' | 'type' | 'subscriptionId' | 'sequence'
>;

/** One relay at a time, until its transaction ends. A statement of its own: the next one sees what the holder before has committed. */
export async function lockRelay(tx: DbTransaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('dues: relay'))`;
}

/**
 * Marks about `limit` of the oldest unrelayed events as relayed and gives each its position in its merchant's stream. Only
 * for who has called `lockRelay` in the same transaction.
 *
 * 1. One transaction at a time, until it ends: so positions become visible in their order, without a gap. Whoever has
 *    read up to a position will never see a smaller one appear.
 * 2. The batch is what has the smallest ids, and whatever comes before it of the same subscriptions: ids are made by
 *    several machines' clocks, and within a millisecond by chance, so they may contradict the sequence.
 * 3. Positions go by age, but never against a subscription's sequence: an event counts as no older than those before it.
 *    Earlier sequences are always visible here, because recording takes the lock on the subscription's row.
 */
export function takeNewEvents(tx: DbTransaction, now: Date, limit: number): Promise<NewEvent[]> {
  return tx.$queryRaw<NewEvent[]>`
    WITH oldest AS (
      SELECT "id", "subscriptionId", "sequence" FROM "Event" WHERE "relayedAt" IS NULL ORDER BY "id" LIMIT ${limit}
    ), batch AS (
      SELECT "id" FROM oldest
      UNION
      SELECT e."id" FROM oldest o
      JOIN "Event" e ON e."subscriptionId" = o."subscriptionId" AND e."sequence" < o."sequence"
      WHERE e."relayedAt" IS NULL
    ), aged AS (
      SELECT e."id", e."merchantId", e."environment", e."sequence",
        max(e."createdAt") OVER (PARTITION BY coalesce(e."subscriptionId", e."id") ORDER BY e."sequence") AS "age"
      FROM "Event" e JOIN batch USING ("id")
    ), numbered AS (
      SELECT "id", "merchantId", "environment", row_number() OVER (
        PARTITION BY "merchantId", "environment" ORDER BY "age", "sequence" NULLS FIRST, "id") AS "nth"
      FROM aged
    ), ends AS (
      SELECT s."merchantId", s."environment", coalesce((
        SELECT max(e."position") FROM "Event" e
        WHERE e."merchantId" = s."merchantId" AND e."environment" = s."environment"), 0) AS "last"
      FROM (SELECT DISTINCT "merchantId", "environment" FROM numbered) s
    )
    UPDATE "Event" e SET "relayedAt" = ${now}, "position" = ends."last" + numbered."nth"
    FROM numbered JOIN ends USING ("merchantId", "environment")
    WHERE e."id" = numbered."id"
    RETURNING e."id", e."merchantId", e."environment", e."type", e."subscriptionId", e."sequence"`;
}
