-- A transfer of a refund that is not final yet, and further transfers for refunds that are paid.
ALTER TABLE "Refund" ADD COLUMN "sentSignature" TEXT;

CREATE TABLE "RefundExcess" (
    "environment" "Environment" NOT NULL,
    "signature" TEXT NOT NULL,
    "transferIndex" INTEGER NOT NULL,
    "refundId" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "slot" BIGINT NOT NULL,
    "sentAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RefundExcess_pkey" PRIMARY KEY ("environment", "signature", "transferIndex")
);

CREATE INDEX "RefundExcess_refundId_sentAt_idx" ON "RefundExcess"("refundId", "sentAt");

ALTER TABLE "RefundExcess" ADD CONSTRAINT "RefundExcess_refundId_fkey" FOREIGN KEY ("refundId") REFERENCES "Refund"("id") ON DELETE CASCADE ON UPDATE CASCADE;
