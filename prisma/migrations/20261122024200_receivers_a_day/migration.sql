-- Outside a transaction.
-- How many token accounts of merchants were made in a day is counted before another one is.
DROP INDEX CONCURRENTLY IF EXISTS "ReceiverAccount_environment_createdAt_idx";
CREATE INDEX CONCURRENTLY "ReceiverAccount_environment_createdAt_idx" ON "ReceiverAccount"("environment", "createdAt");
