ALTER TABLE "Payment" ADD COLUMN "finalityCheckAt" TIMESTAMPTZ(3);

-- Those with a transaction under way, and those that are stuck.
CREATE INDEX "Subscription_under_way" ON "Subscription" ("environment") WHERE "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" IS NULL;
