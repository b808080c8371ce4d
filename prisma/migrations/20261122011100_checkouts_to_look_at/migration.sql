-- Outside a transaction.
-- Checkouts whose subscription may have been made unseen, as the comparison with the chain pages through them.
DROP INDEX CONCURRENTLY IF EXISTS "CheckoutSession_unseen";
CREATE INDEX CONCURRENTLY "CheckoutSession_unseen" ON "CheckoutSession" ("environment", "expiresAt", "id")
  WHERE "status" <> 'COMPLETED' AND "walletAddress" IS NOT NULL;
