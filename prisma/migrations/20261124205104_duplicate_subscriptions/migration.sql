-- Subscriptions on chain that a further wallet created for a checkout session that was completed.
CREATE TABLE "DuplicateSubscription" (
    "environment" "Environment" NOT NULL,
    "address" TEXT NOT NULL,
    "merchantId" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "sessionId" TEXT NOT NULL,
    "walletAddress" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DuplicateSubscription_pkey" PRIMARY KEY ("environment", "address")
);

CREATE INDEX "DuplicateSubscription_address_idx" ON "DuplicateSubscription"("address");
CREATE INDEX "DuplicateSubscription_walletAddress_idx" ON "DuplicateSubscription"("walletAddress");
CREATE INDEX "DuplicateSubscription_signature_idx" ON "DuplicateSubscription"("signature");

ALTER TABLE "DuplicateSubscription" ADD CONSTRAINT "DuplicateSubscription_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;
