-- Outside a transaction.
-- Deliveries by status and by subscription. Not partial: a status comes as a parameter, which hides it from a partial index.
DROP INDEX CONCURRENTLY IF EXISTS "Delivery_merchantId_environment_status_createdAt_id_idx";
CREATE INDEX CONCURRENTLY "Delivery_merchantId_environment_status_createdAt_id_idx"
  ON "Delivery"("merchantId", "environment", "status", "createdAt", "id");

DROP INDEX CONCURRENTLY IF EXISTS "Delivery_subscriptionId_createdAt_id_idx";
CREATE INDEX CONCURRENTLY "Delivery_subscriptionId_createdAt_id_idx" ON "Delivery"("subscriptionId", "createdAt", "id");

-- The first of the two serves what it served.
DROP INDEX CONCURRENTLY IF EXISTS "Delivery_failed";
