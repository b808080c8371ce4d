import type { Db } from '../../../db/db.ts';
import {
  type Attempt,
  type Event,
  type Payment,
  Prisma,
  type SubscriptionTransition,
} from '../../../generated/prisma/client.ts';

/** An entry of a subscription's history. */
export type HistoryEntry = { readonly at: Date; readonly id: string } & (
  | { readonly kind: 'transition'; readonly row: SubscriptionTransition }
  | { readonly kind: 'payment'; readonly row: Payment }
  | { readonly kind: 'attempt'; readonly row: Attempt }
  | { readonly kind: 'event'; readonly row: Event }
);

export interface HistoryRange {
  /** Id of the entry before the page; without it the page begins at the end of the list. */
  readonly beyond: string | undefined;
  readonly towards: 'older' | 'newer';
  readonly limit: number;
}

type EntryKey = Pick<HistoryEntry, 'id' | 'kind' | 'at'>;

/**
 * A page of a subscription's history: changes of status, payments, attempts and events. A payment
 * has the time when it was both due and recorded: its due date is the chain's time, and may be
 * before the recorded change that began the subscription. Entries with the same time are in the
 * order start of the subscription, payment, attempt, change of status, event. Returns null if
 * `beyond` is not an entry of it.
 */
export async function subscriptionHistory(
  db: Db,
  subscriptionId: string,
  { beyond, towards, limit }: HistoryRange,
): Promise<HistoryEntry[] | null> {
  const [comparison, order] =
    towards === 'older' ? [Prisma.sql`<=`, Prisma.sql`DESC`] : [Prisma.sql`>=`, Prisma.sql`ASC`];
  // Includes the entry `beyond`, to see that it exists.
  const condition = beyond
    ? Prisma.sql`WHERE ("at", "rank", "id") ${comparison} (SELECT "at", "rank", "id" FROM "entries" WHERE "id" = ${beyond}::uuid)`
    : Prisma.empty;
  const keys = await db.$queryRaw<EntryKey[]>(Prisma.sql`
    WITH "entries" AS (
      SELECT "id", 'payment' AS "kind", 3 AS "rank", greatest("dueAt", "createdAt") AS "at" FROM "Payment"
      WHERE "subscriptionId" = ${subscriptionId}::uuid
      UNION ALL
      SELECT a."id", 'attempt', 4, a."createdAt" FROM "Attempt" a JOIN "Payment" p ON p."id" = a."paymentId"
      WHERE p."subscriptionId" = ${subscriptionId}::uuid
      UNION ALL
      SELECT "id", 'transition', CASE WHEN "from" IS NULL THEN 1 ELSE 5 END, "at" FROM "SubscriptionTransition"
      WHERE "subscriptionId" = ${subscriptionId}::uuid
      UNION ALL
      SELECT "id", 'event', CASE WHEN "type" = 'subscription.created' THEN 2 ELSE 6 END, "createdAt"
      FROM "Event" WHERE "subscriptionId" = ${subscriptionId}::uuid
    )
    SELECT "id", "kind", "at" FROM "entries" ${condition}
    ORDER BY "at" ${order}, "rank" ${order}, "id" ${order} LIMIT ${limit + (beyond ? 1 : 0)}`);
  if (beyond && keys[0]?.id !== beyond) return null;
  return readEntries(db, beyond ? keys.slice(1) : keys);
}

async function readEntries(db: Db, keys: readonly EntryKey[]): Promise<HistoryEntry[]> {
  const where = (kind: EntryKey['kind']) => ({
    id: { in: keys.flatMap((key) => (key.kind === kind ? key.id : [])) },
  });
  const rows = await Promise.all([
    db.subscriptionTransition.findMany({ where: where('transition') }),
    db.payment.findMany({ where: where('payment') }),
    db.attempt.findMany({ where: where('attempt') }),
    db.event.findMany({ where: where('event') }),
  ]);
  const byId = new Map(rows.flat().map((row) => [row.id, row]));
  return keys.flatMap((key) => {
    const row = byId.get(key.id);
    return row ? [{ ...key, row } as HistoryEntry] : [];
  });
}
