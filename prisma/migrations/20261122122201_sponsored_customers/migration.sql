-- Customers without SOL: the switch and the budget of a merchant, and the transactions that the collector pays for.
ALTER TABLE "MerchantSettings" ADD COLUMN "sponsorsCustomers" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "sponsoredLamportsPerDay" BIGINT NOT NULL DEFAULT 50000000;

CREATE TYPE "SponsoredStatus" AS ENUM ('RESERVED', 'LANDED', 'FAILED');

CREATE TABLE "SponsoredTransaction" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "planId" UUID NOT NULL,
    "sessionId" TEXT NOT NULL,
    "walletAddress" TEXT NOT NULL,
    "collector" TEXT NOT NULL,
    "lamports" BIGINT NOT NULL,
    "status" "SponsoredStatus" NOT NULL DEFAULT 'RESERVED',
    "lastValidBlockHeight" BIGINT NOT NULL,
    "signature" TEXT,
    "wire" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),

    CONSTRAINT "SponsoredTransaction_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "SponsoredTransaction_environment_createdAt_idx" ON "SponsoredTransaction"("environment", "createdAt");

CREATE INDEX "SponsoredTransaction_merchantId_environment_createdAt_idx" ON "SponsoredTransaction"("merchantId", "environment", "createdAt");

CREATE INDEX "SponsoredTransaction_status_createdAt_idx" ON "SponsoredTransaction"("status", "createdAt");

CREATE INDEX "SponsoredTransaction_sessionId_idx" ON "SponsoredTransaction"("sessionId");

CREATE INDEX "SponsoredTransaction_planId_walletAddress_idx" ON "SponsoredTransaction"("planId", "walletAddress");

CREATE INDEX "SponsoredTransaction_collector_createdAt_idx" ON "SponsoredTransaction"("collector", "createdAt");

ALTER TABLE "SponsoredTransaction" ADD CONSTRAINT "SponsoredTransaction_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
