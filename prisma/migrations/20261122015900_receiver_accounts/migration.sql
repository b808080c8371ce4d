-- A merchant's token account is made at our cost once; after that its plans wait until it is there.
ALTER TYPE "PlanProblem" ADD VALUE 'RECEIVER_MISSING';

CREATE TABLE "ReceiverAccount" (
    "environment" "Environment" NOT NULL,
    "merchantId" UUID NOT NULL,
    "mint" TEXT NOT NULL,
    "transactionId" UUID NOT NULL,
    "collector" TEXT NOT NULL,
    "lamports" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReceiverAccount_pkey" PRIMARY KEY ("environment", "merchantId", "mint")
);
CREATE INDEX "ReceiverAccount_collector_createdAt_idx" ON "ReceiverAccount"("collector", "createdAt");
