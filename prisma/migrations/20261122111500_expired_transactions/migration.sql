-- Outside a transaction.
-- Transactions that never landed, oldest first: they are deleted after some time, and are few.
DROP INDEX CONCURRENTLY IF EXISTS "TransferTransaction_expired";
CREATE INDEX CONCURRENTLY "TransferTransaction_expired"
  ON "TransferTransaction" ("settledAt") WHERE "status" = 'EXPIRED';
