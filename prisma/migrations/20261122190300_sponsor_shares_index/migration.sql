-- Outside a transaction.
-- Sponsored transactions of a network address.
DROP INDEX CONCURRENTLY IF EXISTS "SponsoredTransaction_callerHash_createdAt_idx";
CREATE INDEX CONCURRENTLY "SponsoredTransaction_callerHash_createdAt_idx"
  ON "SponsoredTransaction" ("callerHash", "createdAt");
