-- Outside a transaction.
-- The due subscriptions of each merchant, for the shares of a claim. No row of it has a null: its order is one
-- that no other index has, so a query in this order uses this index.
DROP INDEX CONCURRENTLY IF EXISTS "Subscription_due_of_merchant";
CREATE INDEX CONCURRENTLY "Subscription_due_of_merchant"
  ON "Subscription" ("environment", "merchantId", "nextAttemptAt" NULLS FIRST)
  WHERE "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" IS NOT NULL;
