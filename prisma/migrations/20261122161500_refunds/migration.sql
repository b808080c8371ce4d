-- Refunds, which the merchant's wallet sends and which are found on chain by their reference.
CREATE TYPE "RefundStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'CANCELLED', 'EXPIRED');

CREATE TABLE "Refund" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "paymentId" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "reason" TEXT,
    "status" "RefundStatus" NOT NULL DEFAULT 'PENDING',
    "reference" TEXT NOT NULL,
    "idempotencyKey" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "signature" TEXT,
    "transferIndex" INTEGER,
    "slot" BIGINT,
    "refundedAt" TIMESTAMPTZ(3),
    "nextCheckAt" TIMESTAMPTZ(3),
    "checkedTo" TEXT,
    "checkingFrom" TEXT,
    "checkingTo" TEXT,

    CONSTRAINT "Refund_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Refund_amount_above_zero" CHECK ("amount" > 0),
    -- Nothing is refunded without a transfer on chain.
    CONSTRAINT "Refund_succeeded_has_transfer" CHECK (("status" = 'SUCCEEDED') = (
      "signature" IS NOT NULL AND "transferIndex" IS NOT NULL AND "slot" IS NOT NULL AND "refundedAt" IS NOT NULL))
);

CREATE UNIQUE INDEX "Refund_reference_key" ON "Refund"("reference");

CREATE UNIQUE INDEX "Refund_merchantId_environment_idempotencyKey_key" ON "Refund"("merchantId", "environment", "idempotencyKey");

-- One transfer is at most one refund.
CREATE UNIQUE INDEX "Refund_environment_signature_transferIndex_key" ON "Refund"("environment", "signature", "transferIndex");

CREATE INDEX "Refund_merchantId_environment_createdAt_id_idx" ON "Refund"("merchantId", "environment", "createdAt", "id");

CREATE INDEX "Refund_paymentId_createdAt_id_idx" ON "Refund"("paymentId", "createdAt", "id");

-- The refunds whose reference is watched.
CREATE INDEX "Refund_watched" ON "Refund"("environment", "nextCheckAt") WHERE "nextCheckAt" IS NOT NULL;

-- A merchant's watched refunds, whose number is limited.
CREATE INDEX "Refund_watched_of_merchant" ON "Refund"("merchantId", "environment") WHERE "nextCheckAt" IS NOT NULL;

-- For the metrics of days.
CREATE INDEX "Refund_succeeded" ON "Refund"("merchantId", "environment", "refundedAt") WHERE "status" = 'SUCCEEDED';

ALTER TABLE "Refund" ADD CONSTRAINT "Refund_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "Refund" ADD CONSTRAINT "Refund_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "Payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
