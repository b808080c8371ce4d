-- Outside a transaction.
-- Deliveries by the status code of their last response. Most succeed, and a page of those is found by time.
DROP INDEX CONCURRENTLY IF EXISTS "Delivery_refused";
CREATE INDEX CONCURRENTLY "Delivery_refused"
  ON "Delivery" ("merchantId", "environment", "lastStatusCode", "createdAt", "id")
  WHERE "lastStatusCode" < 200 OR "lastStatusCode" > 299;
