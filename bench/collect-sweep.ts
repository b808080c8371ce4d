import type { Db } from '../src/db.ts';
import { claimDue, countDue } from '../src/domain/payment/claim-due.ts';
import { median } from './statistics.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const DUE = 100;
const RUNS = 21;
const DAY_MS = 86_400_000;

/**
 * How long it takes to see what is due and to claim it, 100 among 10,000 subscriptions and among 1,000,000: medians, in
 * milliseconds.
 */
export async function benchSweep(db: Db): Promise<{ small: number; large: number }> {
  const now = new Date(Date.now() + DAY_MS * 3_650);
  const existing = await db.subscription.count();
  await db.$executeRaw`UPDATE "Subscription" SET "nextAttemptAt" = ${new Date(now.getTime() + DAY_MS)}`;
  await addSubscriptions(db, SMALL - existing, now);
  const small = await measure(db, now);
  await addSubscriptions(db, LARGE - SMALL, now);
  return { small, large: await measure(db, now) };
}

/** Copies of one subscription, at addresses of their own, due over the month after `now`. */
async function addSubscriptions(db: Db, count: number, now: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
      "walletAddress", "tokenAccount", "startedAt", "nextPaymentAt", "nextAttemptAt")
    SELECT gen_random_uuid(), s."merchantId", s."environment", s."planId", s."customerId", gen_random_uuid()::text,
      s."chainCreatedAt", gen_random_uuid()::text, gen_random_uuid()::text, s."startedAt", s."nextPaymentAt",
      ${now}::timestamptz + interval '1 day' + random() * interval '30 days'
    FROM generate_series(1, ${count}::int), (SELECT * FROM "Subscription" LIMIT 1) s`;
  await db.$executeRaw`ANALYZE "Subscription"`;
}

async function measure(db: Db, now: Date): Promise<number> {
  const clock = { now: () => now };
  const ctx = { db, clock } as Parameters<typeof claimDue>[0];
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await db.$executeRaw`
      UPDATE "Subscription" SET "nextAttemptAt" = ${new Date(now.getTime() - 1000)}, "claimedUntil" = NULL
      WHERE "id" IN (SELECT "id" FROM "Subscription" LIMIT ${DUE})`;
    const start = performance.now();
    const seen = await countDue(ctx, 'TEST', 1_000);
    const { subscriptionIds } = await claimDue(ctx, 'TEST', 1_000);
    times.push(performance.now() - start);
    if (seen !== DUE || subscriptionIds.length !== DUE)
      throw new Error(`${subscriptionIds.length} were claimed`);
  }
  return median(times);
}
