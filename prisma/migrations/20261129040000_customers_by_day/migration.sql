-- Outside a transaction.
-- Customers whose email or id begins with a text, day by day, for searches with many matches.
DROP INDEX CONCURRENTLY IF EXISTS "Customer_day_email";
CREATE INDEX CONCURRENTLY "Customer_day_email"
  ON "Customer" ("merchantId", "environment", date_bin('24 hours', "createdAt", 'epoch'), lower("email") text_pattern_ops);
DROP INDEX CONCURRENTLY IF EXISTS "Customer_day_customerId";
CREATE INDEX CONCURRENTLY "Customer_day_customerId"
  ON "Customer" ("merchantId", "environment", date_bin('24 hours', "createdAt", 'epoch'), "customerId" text_pattern_ops);
