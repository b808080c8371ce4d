-- Outside a transaction.
-- Customers of all merchants by their email, for links into the portal.
DROP INDEX CONCURRENTLY IF EXISTS "Customer_by_email";
CREATE INDEX CONCURRENTLY "Customer_by_email" ON "Customer" (lower("email"), "createdAt");
