import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/** Maximum events of one payment, the newest. A merchant can collect a payment in many parts. */
export const MAX_EVENTS = 100;

/**
 * The ids of the events about each of the payments, newest first. They are searched among the events
 * of the payments' subscriptions, each of which is read once.
 */
export async function eventsOfPayments(
  db: Pick<DbTransaction, '$queryRaw'>,
  paymentIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.$queryRaw<{ paymentId: string; eventIds: string[] }[]>(Prisma.sql`
    SELECT e."data"->>'paymentId' AS "paymentId",
      (array_agg(e."id"::text ORDER BY e."sequence" DESC))[1:${MAX_EVENTS}::int] AS "eventIds"
    FROM "Event" e
    WHERE e."subscriptionId" IN (SELECT "subscriptionId" FROM "Payment" WHERE "id" = ANY(${[...paymentIds]}::uuid[]))
      AND e."data"->>'paymentId' = ANY(${[...paymentIds]}::text[])
    GROUP BY 1`);
  return new Map(rows.map(({ paymentId, eventIds }) => [paymentId, eventIds]));
}
