import { randomBytes } from 'node:crypto';
import type { Db } from '../src/db.ts';
import { generateApiKey, hashApiKey } from '../src/secrets.ts';

/** Merchants that have a plan, a key, and as many subscriptions each, a second between them. Answers with their keys. */
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
        INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "intervalSeconds", "mint",
          "tokenProgram", "chainPlanId", "address", "status", "chainCreatedAt", "publishedAt")
        SELECT "planId", "merchantId", 'TEST', 'pro', 'Pro', 5000000, 2592000,
          '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1,
          'plan-' || ${run} || '-' || "at", 'ACTIVE', 1, now() FROM "seed"`;
      await tx.$executeRaw`
        INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
        SELECT gen_random_uuid(), "merchantId", 'TEST', 'customer-' || i || '@example.com', 'user-' || i,
          '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrr' || lpad(i::text, 10, '1'), '2026-01-01'::timestamptz + i * interval '1 second'
        FROM "seed", generate_series(1, ${subscriptions}::int) AS i`;
      await tx.$executeRaw`
        INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
          "walletAddress", "tokenAccount", "status", "metadata", "startedAt", "nextPaymentAt", "nextAttemptAt", "paymentCount",
          "createdAt")
        SELECT gen_random_uuid(), c."merchantId", 'TEST', "planId", c."id", md5(c."id"::text) || 'Base58Addres', 1,
          c."walletAddress", 'tokens', 'ACTIVE', '{"source": "newsletter", "campaign": "spring"}', c."createdAt",
          now() + interval '30 days', now() + interval '30 days', 3, c."createdAt"
        FROM "seed" JOIN "Customer" c ON c."merchantId" = "seed"."merchantId"`;
      await tx.$executeRaw`
        INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "to", "reason", "at")
        SELECT gen_random_uuid(), s."id", 'ACTIVE', 'subscribed', s."createdAt"
        FROM "seed" JOIN "Subscription" s ON s."merchantId" = "seed"."merchantId"`;
    },
    { timeout: 600_000 },
  );
  return keys;
}
