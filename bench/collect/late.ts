import type { Db } from '../../src/db/db.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { percentile } from '../lib/statistics.ts';
import { startCollectWorld } from './world.ts';

/** 200 per second for a minute, half of them retries. */
const COUNT = 12_000;
const SPREAD_MS = 60_000;
/** Time until the first payment is due. The worker starts and adds the jobs meanwhile. */
const BEGIN_MS = 30_000;

/**
 * 12,000 payments become due within a minute of real time. The worker role, a separate process,
 * collects them. Half of them failed before. Lateness is the time from the due date of a payment to
 * its claim, by the clock of the database.
 */
export async function measureLateness() {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, COUNT);
  await recordClaims(world.db);
  await spreadDueDates(world.db);
  await world.withWorker({ CLOCK: 'system' }, async () => {
    await pollUntil(() => areAllClaimed(world.db), 500);
  });
  const claims = await world.db.$queryRaw<{ isRetry: boolean; lateMs: number }[]>`
    SELECT "isRetry", "lateMs" FROM "BenchClaim" ORDER BY "lateMs"`;
  if (claims.length !== COUNT) throw new Error(`${claims.length} claims of ${COUNT} payments`);
  const latenessOf = (retries: boolean) =>
    claims.filter(({ isRetry }) => isRetry === retries).map(({ lateMs }) => lateMs);
  return {
    due_late_p99_ms: Math.round(percentile(latenessOf(false), 0.99)),
    retry_late_p99_ms: Math.round(percentile(latenessOf(true), 0.99)),
  };
}

/** Records when claims are made, in the table "BenchClaim". */
export async function recordClaims(db: Db): Promise<void> {
  await db.$executeRawUnsafe(
    'CREATE TABLE "BenchClaim" ("merchantId" uuid, "isRetry" boolean, "lateMs" float8)',
  );
  await db.$executeRawUnsafe(`
    CREATE FUNCTION bench_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "BenchClaim" VALUES (OLD."merchantId", OLD."status" = 'PAST_DUE',
        extract(epoch FROM clock_timestamp() - OLD."nextAttemptAt") * 1000);
      RETURN NEW;
    END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER bench_claim AFTER UPDATE OF "claimedUntil" ON "Subscription" FOR EACH ROW
    WHEN (OLD."claimedUntil" IS NULL AND NEW."claimedUntil" IS NOT NULL) EXECUTE FUNCTION bench_claim()`);
}

async function spreadDueDates(db: Db): Promise<void> {
  const begin = new Date(Date.now() + BEGIN_MS);
  await db.$executeRaw`
    UPDATE "Subscription" s SET "nextAttemptAt" = ${begin}::timestamptz + at."ms" * interval '1 ms',
      "status" = CASE WHEN at."isRetry" THEN 'PAST_DUE' ELSE 'ACTIVE' END::"SubscriptionStatus",
      "failureCount" = at."isRetry"::int
    FROM (
      SELECT "id", row_number() OVER (ORDER BY "id") % 2 = 0 AS "isRetry",
        row_number() OVER (ORDER BY "id") * ${SPREAD_MS}::int / ${COUNT}::int AS "ms"
      FROM "Subscription") AS at
    WHERE at."id" = s."id"`;
  await db.$executeRawUnsafe('ANALYZE');
}

async function areAllClaimed(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS "count" FROM "BenchClaim"`;
  return (row?.count ?? 0) >= COUNT;
}
