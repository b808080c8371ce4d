-- Outside a transaction.
-- Discounts whose name or code begins with a text.
DROP INDEX CONCURRENTLY IF EXISTS "Discount_by_name";
CREATE INDEX CONCURRENTLY "Discount_by_name" ON "Discount" ("merchantId", "environment", lower("name") text_pattern_ops);
DROP INDEX CONCURRENTLY IF EXISTS "Discount_by_code";
CREATE INDEX CONCURRENTLY "Discount_by_code" ON "Discount" ("merchantId", "environment", lower("code") text_pattern_ops);
