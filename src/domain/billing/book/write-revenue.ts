import { asRows, updateRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Book } from './book.ts';
import { COLLECTING } from './status.ts';

/**
 * Writes changed contributions to the monthly recurring revenue. Those of collected subscriptions are
 * movements: docs/metrics.md. It must run before the transitions are written: a trigger counts them with
 * the new contribution.
 */
export async function writeRevenue(tx: DbTransaction, books: readonly Book[], at: Date): Promise<void> {
  const changed = books.filter(({ subscription, mrrRead }) => subscription.mrr !== mrrRead);
  if (changed.length === 0) return;
  await updateRows(
    tx,
    'Subscription',
    ['mrr'],
    changed.map(({ subscription: { id, mrr } }) => ({ id, mrr: new Prisma.Decimal(String(mrr)) })),
  );
  const moved = changed.flatMap(({ subscription: { id, mrr }, mrrRead, statusRead }) =>
    COLLECTING.includes(statusRead) ? [{ id, delta: mrr - mrrRead }] : [],
  );
  if (moved.length === 0) return;
  await tx.$executeRaw`
    WITH "moved" AS (
      SELECT s."merchantId", s."environment", s."walletAddress", p."mint", s."planId", r."delta"
      FROM jsonb_to_recordset(${asRows(moved)}::jsonb) AS r("id" uuid, "delta" numeric)
        JOIN "Subscription" s ON s."id" = r."id" JOIN "Plan" p ON p."id" = s."planId"
    ), "wallets" AS (
      INSERT INTO "CustomerMrr" AS c ("merchantId", "environment", "walletAddress", "mint", "amount")
      SELECT "merchantId", "environment", "walletAddress", "mint", sum("delta") FROM "moved"
      -- In the order in which all transactions lock the wallets.
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT ("merchantId", "environment", "walletAddress", "mint") DO UPDATE SET "amount" = c."amount" + EXCLUDED."amount"
    )
    INSERT INTO "MrrChange" ("planId", "day", "expansion", "contraction")
    SELECT "planId", (${at}::timestamptz AT TIME ZONE 'UTC')::date, sum(greatest("delta", 0)), sum(greatest(-"delta", 0))
    FROM "moved" GROUP BY 1 ORDER BY 1`;
}
