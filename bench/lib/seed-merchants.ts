import { randomBytes } from 'node:crypto';
import type { Db, DbTransaction } from '../../src/db/db.ts';
import { generateApiKey, hashApiKey } from '../../src/secrets.ts';
import { withoutIndexes } from './without-indexes.ts';

/**
 * Creates merchants with a plan, a key, and subscriptions that were created one second apart.
 * Returns their keys. The triggers would be slow and are off, so `SubscriptionCount` and `PlanDay`
 * are written directly.
 */
export async function seedMerchants(
  db: Db,
  secretKey: Uint8Array,
  { merchants, subscriptions }: { readonly merchants: number; readonly subscriptions: number },
): Promise<string[]> {
  const keys = Array.from({ length: merchants }, () => generateApiKey('TEST'));
  const hashes = keys.map((key) => hashApiKey(secretKey, key));
  const run = randomBytes(8).toString('hex');
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        CREATE TEMPORARY TABLE "seed" ON COMMIT DROP AS
        SELECT gen_random_uuid() AS "merchantId", gen_random_uuid() AS "planId", "hash", "at"
        FROM unnest(${hashes}::bytea[]) WITH ORDINALITY AS h("hash", "at")`;
      await tx.$executeRaw`
        INSERT INTO "Merchant" ("id", "companyName", "walletAddress")
        SELECT "merchantId", 'Bench', ${run} || '-' || "at" FROM "seed"`;
      await tx.$executeRaw`
        INSERT INTO "ApiKey" ("id", "merchantId", "environment", "name", "hash", "lastFour")
        SELECT gen_random_uuid(), "merchantId", 'TEST', 'bench', "hash", 'xxxx' FROM "seed"`;
      await tx.$executeRaw`
        INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "maxAmount", "periodSeconds", "intervalSeconds", "mint",
          "tokenProgram", "chainPlanId", "address", "status", "chainCreatedAt", "publishedAt")
        SELECT "planId", "merchantId", 'TEST', 'pro', 'Pro', 5000000, 5000000, 2592000, 2592000,
          '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1,
          'plan-' || ${run} || '-' || "at", 'ACTIVE', 1, now() FROM "seed"`;
      await tx.$executeRaw`
        INSERT INTO "Price" ("id", "planId", "version", "amount") SELECT "planId", "planId", 1, 5000000 FROM "seed"`;
      await tx.$executeRaw`
        INSERT INTO "SubscriptionCount" ("merchantId", "environment", "count")
        SELECT "merchantId", 'TEST', ${subscriptions}::int FROM "seed"`;
      await withoutIndexes(tx, () => fillTables(tx, subscriptions), ['Customer', 'Subscription']);
      await tx.$executeRaw`
        INSERT INTO "PlanDay" ("planId", "day", "active", "started")
        SELECT "planId", ("startedAt" AT TIME ZONE 'UTC')::date, count(*), count(*)
        FROM "Subscription" JOIN "seed" USING ("planId") GROUP BY 1, 2`;
    },
    { timeout: 600_000 },
  );
  return keys;
}

async function fillTables(tx: DbTransaction, subscriptions: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
    SELECT gen_random_uuid(), "merchantId", 'TEST', 'customer-' || i || '@example.com', 'user-' || i,
      '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrr' || lpad(i::text, 10, '1'), '2026-01-01'::timestamptz + i * interval '1 second'
    FROM "seed", generate_series(1, ${subscriptions}::int) AS i`;
  await tx.$executeRaw`
    INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
      "walletAddress", "tokenAccount", "status", "metadata", "startedAt", "nextPaymentAt", "nextAttemptAt", "paymentCount",
      "createdAt", "anchorOffsetSeconds", "priceId", "nextAmount", "mrr")
    SELECT gen_random_uuid(), c."merchantId", 'TEST', "planId", c."id", md5(c."id"::text) || 'Base58Addres', 1,
      c."walletAddress", 'tokens', 'ACTIVE', '{"source": "newsletter", "campaign": "spring"}', c."createdAt",
      now() + interval '30 days', now() + interval '30 days', 3, c."createdAt",
      0, "planId", 5000000, 5000000
    FROM "seed" JOIN "Customer" c ON c."merchantId" = "seed"."merchantId"`;
}
