import { connectDb, type Db } from '../../src/db/db.ts';
import { claimDue, countDue } from '../../src/domain/billing/collect/claim-due.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { seedCustomer, seedPlan, seedScope } from '../../tools/world/rows.ts';
import { median, round } from '../lib/statistics.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const DUE = 100;
const ROUNDS = 61;
const DAY_MS = 86_400_000;
const NOW = new Date('2030-01-01T00:00:00Z');
const LATER = new Date(NOW.getTime() + DAY_MS);

/** A database, and the subscriptions that become due in each round, spread over the table. */
interface Table {
  readonly db: Db;
  readonly ids: readonly string[];
}

/**
 * Measures the time to count and claim 100 due subscriptions among 10,000 and among 1,000,000:
 * medians in milliseconds. Each size has its own PostgreSQL, prepared in the same way, and the
 * measurements alternate.
 */
export async function measureSweep() {
  await using closing = new AsyncDisposableStack();
  const small = await fill(closing, SMALL);
  const large = await fill(closing, LARGE);
  const times: Record<'small' | 'large', number[]> = { small: [], large: [] };
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const elapsedMs = { small: await measureRound(small, round), large: await measureRound(large, round) };
    if (round === 0) continue;
    times.small.push(elapsedMs.small);
    times.large.push(elapsedMs.large);
  }
  const [ms10k, ms1m] = [median(times.small), median(times.large)];
  return {
    sweep_ms_10k: round(ms10k, 2),
    sweep_ms_1m: round(ms1m, 2),
    sweep_growth: round(ms1m / ms10k, 2),
  };
}

async function fill(closing: AsyncDisposableStack, count: number): Promise<Table> {
  const { url } = await startDatabase(closing);
  const db = connectDb(url);
  closing.defer(() => db.$disconnect());
  const scope = await seedScope(db);
  const plan = await seedPlan(db, scope, { status: 'ACTIVE', chainCreatedAt: 0n });
  const customer = await seedCustomer(db, scope);
  await db.$executeRaw`
    INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
      "walletAddress", "tokenAccount", "startedAt", "nextPaymentAt", "nextAttemptAt")
    SELECT gen_random_uuid(), ${scope.merchantId}::uuid, 'TEST', ${plan.id}::uuid, ${customer.id}::uuid,
      gen_random_uuid()::text, 0, gen_random_uuid()::text, gen_random_uuid()::text, ${NOW}::timestamptz,
      ${LATER}::timestamptz, ${LATER}::timestamptz + random() * interval '30 days'
    FROM generate_series(1, ${count}::int)`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Subscription" ORDER BY random() LIMIT ${DUE * (ROUNDS + 1)}`;
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
  return { db, ids: rows.map(({ id }) => id) };
}

/**
 * Makes 100 subscriptions due, and returns the milliseconds that counting and claiming them take.
 */
async function measureRound({ db, ids }: Table, round: number): Promise<number> {
  const due = Array.from({ length: DUE }, (_, index) => ids[(round * DUE + index) % ids.length]);
  await setDueDates(db, due, NOW);
  const ctx = { db, clock: { now: () => NOW } } as Parameters<typeof claimDue>[0];
  const start = performance.now();
  const counted = await countDue(ctx, 'TEST', 1_000);
  const { subscriptionIds } = await claimDue(ctx, 'TEST', 1_000);
  const elapsedMs = performance.now() - start;
  if (counted !== DUE || subscriptionIds.length !== DUE)
    throw new Error(`${counted} were counted and ${subscriptionIds.length} claimed, instead of ${DUE}`);
  await setDueDates(db, due, LATER);
  return elapsedMs;
}

/** Spreads due dates over the minute before a time, as for customers who subscribed in turn. */
function setDueDates(db: Db, ids: readonly (string | undefined)[], latest: Date): Promise<number> {
  return db.$executeRaw`
    UPDATE "Subscription"
    SET "nextAttemptAt" = ${latest}::timestamptz - random() * interval '1 minute', "claimedUntil" = NULL
    WHERE "id" = ANY(${ids}::uuid[])`;
}
