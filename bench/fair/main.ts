import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../src/db/db.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { COLLECTOR } from '../../tools/world/network.ts';
import { PRICE, seedSubscriptions } from '../../tools/world/seed-subscriptions.ts';
import { recordClaims } from '../collect/late.ts';
import { type CollectWorld, startCollectWorld } from '../collect/world.ts';
import type { Measured } from '../lib/figures.ts';
import { percentile, round } from '../lib/statistics.ts';
import type { FAIR_FIGURES } from './figures.ts';

/** Due payments of the large merchant. */
const LARGE = 100_000;
const SMALL_PER_SECOND = 50;
/** Each round measures the large merchant alone, then beside the small one. */
const ROUNDS = 3;
const SECONDS_EACH = 8;
const SMALL = ROUNDS * SECONDS_EACH * SMALL_PER_SECOND;
/** Time from the first charge to the first measurement. */
const WARM_UP_SECONDS = 10;
const NOT_DUE = '2100-01-01';
/** Receipts that are issued after a longer pause had nothing to wait for. */
const PAUSE = '2 seconds';

/** The charges of a time. */
interface Charges {
  readonly large: number;
  readonly all: number;
  readonly seconds: number;
}

/**
 * 100,000 payments of one merchant become due at once, and for some of the time 50 a second of
 * another one, half of them retries. A worker process collects all of them.
 */
export default async function benchFair(): Promise<Measured<typeof FAIR_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, LARGE);
  const { db, client } = world;
  const { id: largeId } = await db.merchant.findFirstOrThrow();
  const startedAt = Math.floor(Date.now() / 1_000);
  const { merchantId: smallId } = await seedSubscriptions(
    { client, db, collector: COLLECTOR },
    { count: SMALL, startedAt },
  );
  await recordClaims(db);
  await recordReceipts(db);
  await db.$executeRaw`
    UPDATE "Subscription" SET "nextAttemptAt" = ${NOT_DUE}::timestamptz WHERE "merchantId" = ${smallId}::uuid`;
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  const sizesBefore = await readSizes(db);
  const alone: Charges[] = [];
  const beside: Charges[] = [];
  await world.withWorker({ CLOCK: 'system' }, async () => {
    // A busy machine needs half a minute to start the worker.
    await pollUntil(async () => (await db.payment.count({ where: { status: 'SUCCEEDED' } })) > 0, 200);
    const begin = Date.now();
    await makeSmallDue(db, smallId, begin);
    for (let round = 0; round < ROUNDS; round++) {
      const start = WARM_UP_SECONDS + 2 * round * SECONDS_EACH;
      alone.push(await countCharges(db, largeId, begin, start));
      beside.push(await countCharges(db, largeId, begin, start + SECONDS_EACH));
    }
    // Without a limit: on a busy machine this takes a quarter of an hour.
    while (!(await areAllFinal(db))) await wait(2_000);
  });
  await checkBooks(world);
  const grown = growthPerCharge(sizesBefore, await readSizes(db));
  const claims = await db.$queryRaw<{ lateMs: number }[]>`
    SELECT "lateMs" FROM "BenchClaim" WHERE "merchantId" = ${smallId}::uuid`;
  const charged = sum([...alone, ...beside]);
  const chargedPerS = charged.all / charged.seconds;
  const finalizedPerS = await readFinalizedPerS(db);
  return {
    small_late_p99_ms: Math.round(
      percentile(
        claims.map(({ lateMs }) => lateMs),
        0.99,
      ),
    ),
    large_ratio: round(perSecond(beside) / perSecond(alone), 3),
    finalized_ratio: finalizedPerS && round(finalizedPerS / chargedPerS, 2),
    charged_per_s: round(chargedPerS, 1),
    bytes_per_charge: Math.round(grown),
  };
}

/** The bytes of each table of dues with its indexes. */
async function readSizes(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ table: string; bytes: number }[]>`
    SELECT relname AS "table", pg_total_relation_size(oid)::float8 AS "bytes" FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'Bench%'`;
  return new Map(rows.map(({ table, bytes }) => [table, bytes]));
}

/** The bytes by which a charge makes the tables larger. Prints those of each table. */
function growthPerCharge(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  const grown = [...after]
    .map(([table, bytes]) => ({
      table,
      'bytes a charge': (bytes - (before.get(table) ?? 0)) / (LARGE + SMALL),
    }))
    .filter((row) => Math.abs(row['bytes a charge']) >= 1)
    .toSorted((a, b) => b['bytes a charge'] - a['bytes a charge']);
  console.table(grown.map((row) => ({ ...row, 'bytes a charge': Math.round(row['bytes a charge']) })));
  return grown.reduce((total, row) => total + row['bytes a charge'], 0);
}

/** Makes the small merchant's payments due during the second half of each round. */
async function makeSmallDue(db: Db, smallId: string, begin: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "Subscription" s SET
      "nextAttemptAt" = ${new Date(begin)}::timestamptz + interval '1 second' * (${WARM_UP_SECONDS}::int
        + (1 + 2 * (at."n" / ${SECONDS_EACH * SMALL_PER_SECOND}::int)) * ${SECONDS_EACH}::int
        + (at."n" % ${SECONDS_EACH * SMALL_PER_SECOND}::int) / ${SMALL_PER_SECOND}::float8),
      "status" = CASE WHEN at."n" % 2 = 0 THEN 'PAST_DUE' ELSE 'ACTIVE' END::"SubscriptionStatus",
      "failureCount" = (at."n" % 2 = 0)::int
    FROM (
      SELECT "id", (row_number() OVER (ORDER BY "id"))::int - 1 AS "n" FROM "Subscription"
      WHERE "merchantId" = ${smallId}::uuid) AS at
    WHERE at."id" = s."id"`;
}

/** Counts the charges of a part of the run, which begins at a second after `begin`. */
async function countCharges(db: Db, largeId: string, begin: number, fromSecond: number): Promise<Charges> {
  const readAt = async (second: number) => {
    await wait(Math.max(0, begin + second * 1_000 - Date.now()));
    const at = performance.now();
    const [row] = await db.$queryRaw<{ large: number; all: number; isOver: boolean }[]>`
      SELECT (count(*) FILTER (WHERE "merchantId" = ${largeId}::uuid))::int AS "large", count(*)::int AS "all",
        NOT EXISTS (
          SELECT FROM "Subscription" WHERE "merchantId" = ${largeId}::uuid AND "nextAttemptAt" <= now()) AS "isOver"
      FROM "Payment" WHERE "status" = 'SUCCEEDED'`;
    if (!row || row.isOver) throw new Error('the large merchant has nothing due any more');
    return { ...row, at };
  };
  const first = await readAt(fromSecond);
  const last = await readAt(fromSecond + SECONDS_EACH);
  const seconds = (last.at - first.at) / 1_000;
  const charges = { large: last.large - first.large, all: last.all - first.all, seconds };
  console.log(`from second ${fromSecond}: ${charges.large} of the large merchant, ${charges.all} in all`);
  return charges;
}

function sum(charges: readonly Charges[]): Charges {
  const total = (of: keyof Charges) => charges.reduce((sum, charge) => sum + charge[of], 0);
  return { large: total('large'), all: total('all'), seconds: total('seconds') };
}

function perSecond(charges: readonly Charges[]): number {
  const { large, seconds } = sum(charges);
  return large / seconds;
}

async function recordReceipts(db: Db): Promise<void> {
  await db.$executeRawUnsafe('CREATE TABLE "BenchReceipts" ("at" timestamptz, "count" int)');
  await db.$executeRawUnsafe(`
    CREATE FUNCTION bench_receipts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "BenchReceipts" SELECT clock_timestamp(), count(*) FROM issued;
      RETURN NULL;
    END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER bench_receipts AFTER INSERT ON "Receipt" REFERENCING NEW TABLE AS issued
    FOR EACH STATEMENT EXECUTE FUNCTION bench_receipts()`);
}

/** A payment is marked as final in the transaction that issues its receipt. */
async function areAllFinal(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT coalesce(sum("count"), 0)::int AS "count" FROM "BenchReceipts"`;
  return row?.count === LARGE + SMALL;
}

/** The receipts a second, from one batch to the next one, without the pauses. */
async function readFinalizedPerS(db: Db): Promise<number | null> {
  const [row] = await db.$queryRaw<{ perSecond: number | null }[]>`
    SELECT (sum("count") / extract(epoch FROM sum("took")))::float8 AS "perSecond" FROM (
      SELECT "count", "at" - lag("at") OVER (ORDER BY "at") AS "took" FROM "BenchReceipts") AS batch
    WHERE "took" < ${PAUSE}::interval`;
  return row?.perSecond ?? null;
}

/** Checks that each payment was charged once, in the books and on chain. */
async function checkBooks({ db, client }: CollectWorld): Promise<void> {
  const payments = await db.payment.count({ where: { status: 'SUCCEEDED' } });
  const events = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const merchants = await db.merchant.findMany();
  const amounts = await Promise.all(merchants.map(({ walletAddress }) => client.tokensOf(walletAddress)));
  const received = amounts.reduce((total, amount) => total + amount, 0n) / PRICE;
  const due = LARGE + SMALL;
  if (payments !== due || events !== due || received !== BigInt(due)) {
    const counts = JSON.stringify({ payments, events, received: String(received) });
    throw new Error(`${due} charges were due, but ${counts}`);
  }
}
