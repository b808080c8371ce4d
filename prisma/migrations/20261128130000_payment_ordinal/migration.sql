-- Outside a transaction.
-- A period may have several payments: the scheduled one has ordinal 0. The release before writes no ordinal.
ALTER TABLE "Payment" ADD COLUMN IF NOT EXISTS "ordinal" SMALLINT NOT NULL DEFAULT 0;

DROP INDEX CONCURRENTLY IF EXISTS "Payment_subscriptionId_periodStart_ordinal_key";
CREATE UNIQUE INDEX CONCURRENTLY "Payment_subscriptionId_periodStart_ordinal_key"
  ON "Payment"("subscriptionId", "periodStart", "ordinal");
DROP INDEX CONCURRENTLY IF EXISTS "Payment_subscriptionId_periodStart_key";
