-- Payment links, and the link that opened a checkout session.
CREATE TABLE "PaymentLink" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "planId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "successUrl" TEXT,
    "cancelUrl" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "openedCount" INTEGER NOT NULL DEFAULT 0,
    "completedCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PaymentLink_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "PaymentLink_merchantId_environment_createdAt_id_idx" ON "PaymentLink"("merchantId", "environment", "createdAt", "id");

CREATE INDEX "PaymentLink_planId_idx" ON "PaymentLink"("planId");

ALTER TABLE "PaymentLink" ADD CONSTRAINT "PaymentLink_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "PaymentLink" ADD CONSTRAINT "PaymentLink_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "CheckoutSession" ADD COLUMN "paymentLinkId" UUID;
