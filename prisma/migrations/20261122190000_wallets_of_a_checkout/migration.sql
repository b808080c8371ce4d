-- The wallets that asked for the transactions of a checkout before the last one. A customer may sign
-- any of them.
ALTER TABLE "CheckoutSession" ADD COLUMN "earlierWallets" TEXT[] DEFAULT ARRAY[]::TEXT[];
