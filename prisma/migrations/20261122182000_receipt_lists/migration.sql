-- Outside a transaction.
-- Receipts newest first, by the time they were given, and of one customer. Refunds by status.
DROP INDEX CONCURRENTLY IF EXISTS "Receipt_merchantId_environment_issuedAt_number_idx";
CREATE INDEX CONCURRENTLY "Receipt_merchantId_environment_issuedAt_number_idx"
  ON "Receipt"("merchantId", "environment", "issuedAt", "number");

DROP INDEX CONCURRENTLY IF EXISTS "Receipt_customerId_issuedAt_number_idx";
CREATE INDEX CONCURRENTLY "Receipt_customerId_issuedAt_number_idx" ON "Receipt"("customerId", "issuedAt", "number");

DROP INDEX CONCURRENTLY IF EXISTS "Refund_merchantId_environment_status_createdAt_id_idx";
CREATE INDEX CONCURRENTLY "Refund_merchantId_environment_status_createdAt_id_idx"
  ON "Refund"("merchantId", "environment", "status", "createdAt", "id");
