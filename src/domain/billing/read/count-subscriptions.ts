import type { AppContext } from '../../../app.ts';
import { type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { inBatches } from '../../../db/in-batches.ts';
import type { Scope } from '../../kernel/access/scope.ts';

const BATCH = 10_000;

/** SQL for the sum of folded and unfolded counts; $1 is the merchant and $2 the environment. */
export const SUBSCRIPTION_COUNT = `(
  coalesce((SELECT "count" FROM "SubscriptionCount" WHERE "merchantId" = $1::uuid AND "environment" = $2::"Environment"), 0)
  + coalesce((SELECT sum("count") FROM "SubscriptionCountChange"
      WHERE "merchantId" = $1::uuid AND "environment" = $2::"Environment"), 0))::int`;

const COUNT: PreparedStatement = {
  name: 'subscription.count',
  text: `SELECT ${SUBSCRIPTION_COUNT} AS "count"`,
};

/** The exact number of a merchant's subscriptions in any status, without reading them. */
export async function countSubscriptions(
  db: AppContext['db'],
  { merchantId, environment }: Scope,
): Promise<number> {
  const [row] = await runPrepared<{ count: number }>(db, COUNT, [merchantId, environment]);
  return row?.count ?? 0;
}

/** Adds recorded changes to one row per merchant, until none is left. Concurrent calls are safe. */
export async function foldSubscriptionCounts({ db }: Pick<AppContext, 'db'>): Promise<void> {
  await inBatches(BATCH, async (size) => {
    const [row] = await db.$queryRaw<{ taken: number }[]>`
      WITH "taken" AS (
        DELETE FROM "SubscriptionCountChange" WHERE "id" = ANY(ARRAY(
          SELECT "id" FROM "SubscriptionCountChange" ORDER BY "id" LIMIT ${size} FOR UPDATE SKIP LOCKED))
        RETURNING *
      ), "folded" AS (
        INSERT INTO "SubscriptionCount" ("merchantId", "environment", "count")
        -- Sorted, so that two processes cannot deadlock.
        SELECT "merchantId", "environment", sum("count") FROM "taken" GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT ("merchantId", "environment") DO UPDATE SET "count" = "SubscriptionCount"."count" + EXCLUDED."count"
      )
      SELECT count(*)::int AS "taken" FROM "taken"`;
    return row?.taken ?? 0;
  });
}
