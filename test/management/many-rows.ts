import { DEVNET_USDC } from '../../src/config/variables/cluster.ts';
import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { seedPlan } from '../../tools/world/rows.ts';

/** One of `RARE` subscriptions is past due, and one of `RARE` payments failed. */
export const RARE = 1_000;

/**
 * Writes rows as billing does, in the order of their times: `count` rows of each kind, one second
 * apart, and two plans, one of which has a hundredth of the subscriptions. The texts are difficult
 * for spreadsheets and CSV readers.
 */
export async function seedMany(db: Db, { merchantId, environment }: Scope, count: number): Promise<void> {
  const [big, small] = await Promise.all(
    ['big', 'small'].map((planId, index) =>
      seedPlan(
        db,
        { merchantId, environment },
        {
          planId,
          intervalSeconds: 86_400,
          mint: DEVNET_USDC,
          chainPlanId: BigInt(index + 1),
          status: 'ACTIVE',
          chainCreatedAt: 1n,
        },
      ),
    ),
  );
  await db.$executeRaw`
    INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
    SELECT gen_random_uuid(), ${merchantId}::uuid, ${environment}::"Environment", 'Customer-' || i || '@example.com',
      '=user-' || i, 'wallet-' || i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '1 second'
    FROM generate_series(1, ${count}::int) AS i`;
  await db.$executeRaw`
    INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
      "walletAddress", "tokenAccount", "status", "failureCount", "metadata", "startedAt", "nextPaymentAt", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment",
      CASE WHEN i % 100 = 0 THEN ${small?.id}::uuid ELSE ${big?.id}::uuid END,
      "id", "merchantId" || '-' || i, i, "walletAddress", 'tokens-' || i,
      (CASE WHEN i % ${RARE}::int = 0 THEN 'PAST_DUE' ELSE 'ACTIVE' END)::"SubscriptionStatus",
      (i % ${RARE}::int = 0)::int, jsonb_build_object('note', 'Zoë, "quoted"' || chr(10) || i),
      "createdAt", "createdAt" + interval '1 day', "createdAt"
    FROM (SELECT *, substr("walletAddress", 8)::int AS i FROM "Customer"
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment") AS "customers"
    ORDER BY "createdAt"`;
  await db.$executeRaw`
    INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
    SELECT gen_random_uuid(), "id", NULL, "status", 'subscribed', "createdAt" FROM "Subscription"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"`;
  await db.$executeRaw`
    INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "periodStart", "dueAt", "amount",
      "status", "number", "signature", "paidAt", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment", "id", 1, "createdAt", 5000000, "status",
      CASE "status" WHEN 'SUCCEEDED' THEN 1 END, CASE "status" WHEN 'SUCCEEDED' THEN 'signature-' || "address" END,
      CASE "status" WHEN 'SUCCEEDED' THEN "createdAt" END, "createdAt"
    FROM (SELECT "id", "merchantId", "environment", "address", "createdAt",
        (CASE "status" WHEN 'PAST_DUE' THEN 'FAILED' ELSE 'SUCCEEDED' END)::"PaymentStatus" AS "status"
      FROM "Subscription" WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment")
      AS "payments"
    ORDER BY "createdAt"`;
  await db.$executeRaw`
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment",
      'subscription.payment_' || CASE "status" WHEN 'PAST_DUE' THEN 'failed' ELSE 'succeeded' END, "id", 1,
      jsonb_build_object('subscriptionId', "address"), "createdAt" FROM "Subscription"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
    ORDER BY "createdAt"`;
  await db.$executeRawUnsafe('ANALYZE');
}

/**
 * Writes receipts of all successful payments, and one refund of each. One of `RARE` refunds is
 * pending. The documents of the receipts are empty.
 */
export async function seedReceipts(db: Db, { merchantId, environment }: Scope): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "Receipt" ("paymentId", "merchantId", "environment", "customerId", "number", "issuedAt", "document")
    SELECT p."id", p."merchantId", p."environment", s."customerId", row_number() OVER (ORDER BY p."createdAt"),
      p."createdAt", '{}'
    FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId"
    WHERE p."merchantId" = ${merchantId}::uuid AND p."environment" = ${environment}::"Environment"
      AND p."status" = 'SUCCEEDED'`;
  await db.$executeRaw`
    INSERT INTO "Refund" ("id", "merchantId", "environment", "paymentId", "amount", "reference", "status", "createdAt",
      "expiresAt", "requestedAt", "signature", "transferIndex", "slot", "refundedAt")
    SELECT gen_random_uuid(), "merchantId", "environment", "paymentId", 1, "paymentId"::text,
      (CASE WHEN is_open THEN 'PENDING' ELSE 'SUCCEEDED' END)::"RefundStatus", "issuedAt", "issuedAt", "issuedAt",
      CASE WHEN NOT is_open THEN "paymentId"::text END, CASE WHEN NOT is_open THEN 0 END,
      CASE WHEN NOT is_open THEN 1 END, CASE WHEN NOT is_open THEN "issuedAt" END
    FROM (SELECT *, "number" % ${RARE}::int = 0 AS is_open FROM "Receipt"
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment") AS "receipts"`;
  await db.$executeRawUnsafe('ANALYZE "Receipt", "Refund"');
}
