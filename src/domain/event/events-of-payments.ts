import type { DbTransaction } from '../../db/db.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Maximum events of one payment, the newest. A merchant can collect a payment in many parts. */
export const MAX_EVENTS = 100;

/**
 * The ids of the events about each of the payments, newest first. They are found among the events of
 * the payment's subscription, by index.
 */
export async function eventsOfPayments(
  db: Pick<DbTransaction, '$queryRaw'>,
  paymentIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.$queryRaw<{ paymentId: string; eventIds: string[] }[]>(Prisma.sql`
    SELECT p."id" AS "paymentId", array_agg(e."id"::text ORDER BY e."sequence" DESC) AS "eventIds"
    FROM "Payment" p CROSS JOIN LATERAL (
      SELECT "id", "sequence" FROM "Event"
      WHERE "subscriptionId" = p."subscriptionId" AND "data"->>'paymentId' = p."id"::text
      ORDER BY "sequence" DESC LIMIT ${MAX_EVENTS}) e
    WHERE p."id" = ANY(${[...paymentIds]}::uuid[]) GROUP BY 1`);
  return new Map(rows.map(({ paymentId, eventIds }) => [paymentId, eventIds]));
}
