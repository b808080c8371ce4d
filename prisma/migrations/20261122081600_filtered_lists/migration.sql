-- Outside a transaction.
-- Payments that failed before the triggers of the last migration, in batches of 5,000 payments. Each batch commits, so no row
-- stays locked for long. Run again, it finds less to do.
DO $$
DECLARE
  "after" uuid := '00000000-0000-0000-0000-000000000000';
  "upTo" uuid;
BEGIN
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Payment" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Payment" AS p SET "failureCode" = a."failureCode"
    FROM (SELECT DISTINCT ON ("paymentId") "paymentId", "failureCode" FROM "Attempt"
      WHERE "status" = 'FAILED' AND "paymentId" > "after" AND "paymentId" <= "upTo"
      ORDER BY "paymentId", "createdAt" DESC, "id" DESC) AS a
    WHERE p."id" = a."paymentId" AND p."failureCode" IS NULL;
    COMMIT;
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;
END $$;

-- Payments by the reason of a failure: most payments never failed.
DROP INDEX CONCURRENTLY IF EXISTS "Payment_failed";
CREATE INDEX CONCURRENTLY "Payment_failed"
  ON "Payment" ("merchantId", "environment", "failureCode", "createdAt", "id") WHERE "failureCode" IS NOT NULL;

-- Subscriptions by their next payment. Not partial: a status comes as a parameter, which hides it from a partial index.
DROP INDEX CONCURRENTLY IF EXISTS "Subscription_merchantId_environment_status_nextPaymentAt_id_idx";
CREATE INDEX CONCURRENTLY "Subscription_merchantId_environment_status_nextPaymentAt_id_idx"
  ON "Subscription"("merchantId", "environment", "status", "nextPaymentAt", "id");

-- Subscriptions that end with their period: few.
DROP INDEX CONCURRENTLY IF EXISTS "Subscription_ending";
CREATE INDEX CONCURRENTLY "Subscription_ending"
  ON "Subscription" ("merchantId", "environment", "status", "createdAt", "id") WHERE "cancelAtPeriodEnd";
