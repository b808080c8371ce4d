-- Outside a transaction.
-- Checkout sessions by a wallet that asked for their transactions before the last one.
DROP INDEX CONCURRENTLY IF EXISTS "CheckoutSession_earlierWallets_idx";
CREATE INDEX CONCURRENTLY "CheckoutSession_earlierWallets_idx" ON "CheckoutSession" USING GIN ("earlierWallets");
