-- Outside a transaction.
-- The checkouts of a subscription, without those that have none, as every new one.
DROP INDEX CONCURRENTLY IF EXISTS "CheckoutSession_of_subscription";
CREATE INDEX CONCURRENTLY "CheckoutSession_of_subscription" ON "CheckoutSession" ("subscriptionId", "completedAt")
  WHERE "subscriptionId" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "CheckoutSession_subscriptionId_completedAt_idx";
