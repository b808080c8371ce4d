-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Environment" AS ENUM ('TEST', 'LIVE');

-- CreateEnum
CREATE TYPE "PlanStatus" AS ENUM ('DRAFT', 'ACTIVE', 'INACTIVE');

-- CreateEnum
CREATE TYPE "CheckoutSessionStatus" AS ENUM ('OPEN', 'COMPLETED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "PaymentStatus" AS ENUM ('DUE', 'SUCCEEDED', 'FAILED', 'MISSED');

-- CreateEnum
CREATE TYPE "AttemptStatus" AS ENUM ('SUBMITTED', 'SUCCEEDED', 'FAILED', 'VOID');

-- CreateEnum
CREATE TYPE "FailureCode" AS ENUM ('INSUFFICIENT_FUNDS', 'APPROVAL_REVOKED', 'ACCOUNT_FROZEN', 'ACCOUNT_CLOSED');

-- CreateEnum
CREATE TYPE "TransferTransactionStatus" AS ENUM ('SUBMITTED', 'LANDED', 'FAILED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "EndpointStatus" AS ENUM ('ENABLED', 'DISABLED');

-- CreateEnum
CREATE TYPE "DeliveryStatus" AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- CreateTable
CREATE TABLE "Merchant" (
    "id" UUID NOT NULL,
    "companyName" TEXT NOT NULL,
    "logoUrl" TEXT,
    "supportEmail" TEXT,
    "walletAddress" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MerchantSettings" (
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "maxFailures" INTEGER NOT NULL DEFAULT 3,
    "retryDelaysSeconds" INTEGER[] DEFAULT ARRAY[60, 300, 1800]::INTEGER[],

    CONSTRAINT "MerchantSettings_pkey" PRIMARY KEY ("merchantId","environment")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "lastFour" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Plan" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "planId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "amount" BIGINT NOT NULL,
    "intervalSeconds" INTEGER NOT NULL,
    "trialPeriodSeconds" INTEGER NOT NULL DEFAULT 0,
    "mint" TEXT NOT NULL,
    "tokenProgram" TEXT NOT NULL,
    "chainPlanId" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "status" "PlanStatus" NOT NULL DEFAULT 'DRAFT',
    "chainCreatedAt" BIGINT,
    "endsAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "publishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CheckoutSession" (
    "id" TEXT NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "planId" UUID NOT NULL,
    "status" "CheckoutSessionStatus" NOT NULL DEFAULT 'OPEN',
    "customerEmail" TEXT NOT NULL,
    "customerId" TEXT,
    "successUrl" TEXT,
    "cancelUrl" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "walletAddress" TEXT,
    "subscriptionId" UUID,
    "signature" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CheckoutSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "sessionId" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("merchantId","environment","key")
);

-- CreateTable
CREATE TABLE "Customer" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "email" TEXT NOT NULL,
    "customerId" TEXT,
    "walletAddress" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Subscription" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "planId" UUID NOT NULL,
    "customerId" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "chainCreatedAt" BIGINT NOT NULL,
    "walletAddress" TEXT NOT NULL,
    "tokenAccount" TEXT NOT NULL,
    "status" "SubscriptionStatus" NOT NULL DEFAULT 'ACTIVE',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "nextPaymentAt" TIMESTAMPTZ(3) NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "claimedUntil" TIMESTAMPTZ(3),
    "paymentCount" INTEGER NOT NULL DEFAULT 0,
    "failureCount" INTEGER NOT NULL DEFAULT 0,
    "accessUntil" TIMESTAMPTZ(3),
    "cancelledAt" TIMESTAMPTZ(3),
    "closedAt" TIMESTAMPTZ(3),
    "cancelAtPeriodEnd" BOOLEAN NOT NULL DEFAULT false,
    "lastSequence" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubscriptionTransition" (
    "id" UUID NOT NULL,
    "subscriptionId" UUID NOT NULL,
    "from" "SubscriptionStatus",
    "to" "SubscriptionStatus" NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SubscriptionTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Payment" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "subscriptionId" UUID NOT NULL,
    "periodStart" BIGINT NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" "PaymentStatus" NOT NULL DEFAULT 'DUE',
    "number" INTEGER,
    "signature" TEXT,
    "collectedByUs" BOOLEAN NOT NULL DEFAULT true,
    "finalized" BOOLEAN NOT NULL DEFAULT false,
    "paidAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Attempt" (
    "id" UUID NOT NULL,
    "paymentId" UUID NOT NULL,
    "status" "AttemptStatus" NOT NULL,
    "transactionId" UUID,
    "failureCode" "FailureCode",
    "amountRequired" BIGINT,
    "balanceAvailable" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),

    CONSTRAINT "Attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransferTransaction" (
    "id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "signature" TEXT NOT NULL,
    "wire" BYTEA NOT NULL,
    "lastValidBlockHeight" BIGINT NOT NULL,
    "status" "TransferTransactionStatus" NOT NULL DEFAULT 'SUBMITTED',
    "feeLamports" BIGINT,
    "slot" BIGINT,
    "error" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),

    CONSTRAINT "TransferTransaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChainTransfer" (
    "environment" "Environment" NOT NULL,
    "signature" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "subscriptionAddress" TEXT NOT NULL,
    "planAddress" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "periodStart" BIGINT NOT NULL,
    "puller" TEXT,
    "paymentId" UUID,

    CONSTRAINT "ChainTransfer_pkey" PRIMARY KEY ("environment","signature","index")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "type" TEXT NOT NULL,
    "subscriptionId" UUID,
    "sequence" INTEGER,
    "data" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "relayedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "url" TEXT NOT NULL,
    "eventTypes" TEXT[],
    "encryptedSecret" BYTEA NOT NULL,
    "status" "EndpointStatus" NOT NULL DEFAULT 'ENABLED',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "endpointId" UUID NOT NULL,
    "subscriptionId" UUID,
    "sequence" INTEGER,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attemptCount" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeliveryAttempt" (
    "id" UUID NOT NULL,
    "deliveryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "statusCode" INTEGER,
    "error" TEXT,
    "responseBody" TEXT,

    CONSTRAINT "DeliveryAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ChainAccount" (
    "environment" "Environment" NOT NULL,
    "address" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "closed" BOOLEAN NOT NULL DEFAULT false,
    "slot" BIGINT NOT NULL,
    "writeVersion" BIGINT NOT NULL,

    CONSTRAINT "ChainAccount_pkey" PRIMARY KEY ("environment","address")
);

-- CreateTable
CREATE TABLE "StreamPosition" (
    "environment" "Environment" NOT NULL,
    "slot" BIGINT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StreamPosition_pkey" PRIMARY KEY ("environment")
);

-- CreateTable
CREATE TABLE "UnappliedUpdate" (
    "id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "kind" TEXT NOT NULL,
    "slot" BIGINT NOT NULL,
    "payload" JSONB NOT NULL,
    "error" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolvedAt" TIMESTAMPTZ(3),

    CONSTRAINT "UnappliedUpdate_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Merchant_walletAddress_key" ON "Merchant"("walletAddress");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

-- CreateIndex
CREATE INDEX "ApiKey_merchantId_environment_idx" ON "ApiKey"("merchantId", "environment");

-- CreateIndex
CREATE UNIQUE INDEX "Plan_merchantId_environment_planId_key" ON "Plan"("merchantId", "environment", "planId");

-- CreateIndex
CREATE UNIQUE INDEX "Plan_environment_address_key" ON "Plan"("environment", "address");

-- CreateIndex
CREATE UNIQUE INDEX "CheckoutSession_subscriptionId_key" ON "CheckoutSession"("subscriptionId");

-- CreateIndex
CREATE INDEX "CheckoutSession_merchantId_environment_createdAt_idx" ON "CheckoutSession"("merchantId", "environment", "createdAt");

-- CreateIndex
CREATE INDEX "CheckoutSession_planId_walletAddress_idx" ON "CheckoutSession"("planId", "walletAddress");

-- CreateIndex
CREATE INDEX "CheckoutSession_status_expiresAt_idx" ON "CheckoutSession"("status", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Customer_merchantId_environment_walletAddress_email_key" ON "Customer"("merchantId", "environment", "walletAddress", "email");

-- CreateIndex
CREATE INDEX "Subscription_merchantId_environment_createdAt_id_idx" ON "Subscription"("merchantId", "environment", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Subscription_planId_idx" ON "Subscription"("planId");

-- CreateIndex
CREATE INDEX "Subscription_customerId_idx" ON "Subscription"("customerId");

-- CreateIndex
CREATE INDEX "Subscription_tokenAccount_idx" ON "Subscription"("tokenAccount");

-- CreateIndex
CREATE UNIQUE INDEX "Subscription_environment_address_chainCreatedAt_key" ON "Subscription"("environment", "address", "chainCreatedAt");

-- CreateIndex
CREATE INDEX "SubscriptionTransition_subscriptionId_at_idx" ON "SubscriptionTransition"("subscriptionId", "at");

-- CreateIndex
CREATE INDEX "Payment_merchantId_environment_createdAt_id_idx" ON "Payment"("merchantId", "environment", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Payment_subscriptionId_periodStart_key" ON "Payment"("subscriptionId", "periodStart");

-- CreateIndex
CREATE UNIQUE INDEX "Payment_subscriptionId_number_key" ON "Payment"("subscriptionId", "number");

-- CreateIndex
CREATE INDEX "Attempt_paymentId_createdAt_idx" ON "Attempt"("paymentId", "createdAt");

-- CreateIndex
CREATE INDEX "Attempt_transactionId_idx" ON "Attempt"("transactionId");

-- CreateIndex
CREATE UNIQUE INDEX "TransferTransaction_signature_key" ON "TransferTransaction"("signature");

-- CreateIndex
CREATE INDEX "ChainTransfer_environment_subscriptionAddress_idx" ON "ChainTransfer"("environment", "subscriptionAddress");

-- CreateIndex
CREATE INDEX "Event_merchantId_environment_createdAt_id_idx" ON "Event"("merchantId", "environment", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Event_subscriptionId_sequence_key" ON "Event"("subscriptionId", "sequence");

-- CreateIndex
CREATE INDEX "WebhookEndpoint_merchantId_environment_idx" ON "WebhookEndpoint"("merchantId", "environment");

-- CreateIndex
CREATE UNIQUE INDEX "Delivery_eventId_endpointId_key" ON "Delivery"("eventId", "endpointId");

-- CreateIndex
CREATE UNIQUE INDEX "DeliveryAttempt_deliveryId_number_key" ON "DeliveryAttempt"("deliveryId", "number");

-- AddForeignKey
ALTER TABLE "MerchantSettings" ADD CONSTRAINT "MerchantSettings_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CheckoutSession" ADD CONSTRAINT "CheckoutSession_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CheckoutSession" ADD CONSTRAINT "CheckoutSession_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CheckoutSession" ADD CONSTRAINT "CheckoutSession_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Customer" ADD CONSTRAINT "Customer_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_customerId_fkey" FOREIGN KEY ("customerId") REFERENCES "Customer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubscriptionTransition" ADD CONSTRAINT "SubscriptionTransition_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "Payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_transactionId_fkey" FOREIGN KEY ("transactionId") REFERENCES "TransferTransaction"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Event" ADD CONSTRAINT "Event_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Event" ADD CONSTRAINT "Event_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookEndpoint" ADD CONSTRAINT "WebhookEndpoint_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "Event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES "WebhookEndpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeliveryAttempt" ADD CONSTRAINT "DeliveryAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "Delivery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot word.

-- Money and counts.
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_amount_above_zero" CHECK ("amount" > 0);
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_whole_hours" CHECK ("intervalSeconds" % 3600 = 0 AND "intervalSeconds" BETWEEN 3600 AND 8760 * 3600);
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_trial_not_negative" CHECK ("trialPeriodSeconds" >= 0);
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_published_has_chain_time" CHECK ("status" = 'DRAFT' OR "chainCreatedAt" IS NOT NULL);
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_amount_above_zero" CHECK ("amount" > 0);
ALTER TABLE "ChainTransfer" ADD CONSTRAINT "ChainTransfer_amount_above_zero" CHECK ("amount" > 0);
ALTER TABLE "MerchantSettings" ADD CONSTRAINT "MerchantSettings_limits" CHECK ("maxFailures" BETWEEN 1 AND 20 AND cardinality("retryDelaysSeconds") BETWEEN 1 AND 20);

-- A session is completed with its subscription, or it is not.
ALTER TABLE "CheckoutSession" ADD CONSTRAINT "CheckoutSession_completed_whole" CHECK (("status" = 'COMPLETED') = ("subscriptionId" IS NOT NULL AND "completedAt" IS NOT NULL));

-- Statuses and what goes with them.
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_counts" CHECK ("paymentCount" >= 0 AND "failureCount" >= 0 AND "lastSequence" >= 0);
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_over_is_not_tried" CHECK ("status" IN ('ACTIVE', 'PAST_DUE') OR "nextAttemptAt" IS NULL);
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_past_due_has_failed" CHECK (("status" = 'PAST_DUE') <= ("failureCount" > 0));
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_succeeded_whole" CHECK (("status" = 'SUCCEEDED') = ("number" IS NOT NULL AND "signature" IS NOT NULL AND "paidAt" IS NOT NULL));
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_failed_says_why" CHECK (("status" = 'FAILED') = ("failureCode" IS NOT NULL));
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_settled_when_over" CHECK (("status" = 'SUBMITTED') = ("settledAt" IS NULL));
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_submitted_in_transaction" CHECK ("status" <> 'SUBMITTED' OR "transactionId" IS NOT NULL);
ALTER TABLE "Event" ADD CONSTRAINT "Event_sequence_of_subscription" CHECK (("subscriptionId" IS NULL) = ("sequence" IS NULL));
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_pending_has_next" CHECK (("status" = 'PENDING') = ("nextAttemptAt" IS NOT NULL));

-- One signature at a time: a payment is not signed again before the first is provably dead.
CREATE UNIQUE INDEX "Attempt_one_submitted" ON "Attempt" ("paymentId") WHERE "status" = 'SUBMITTED';

-- What is due, as src/domain/payment/due.ts words it: the size of this index is what is to be collected, not all there is.
CREATE INDEX "Subscription_due" ON "Subscription" ("environment", "nextAttemptAt") WHERE "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" IS NOT NULL;

-- Work that waits, each by the column that says so.
CREATE INDEX "Event_unrelayed" ON "Event" ("id") WHERE "relayedAt" IS NULL;
CREATE INDEX "Delivery_waiting" ON "Delivery" ("nextAttemptAt") WHERE "status" = 'PENDING';
CREATE INDEX "Delivery_order" ON "Delivery" ("endpointId", "subscriptionId", "sequence") WHERE "status" = 'PENDING';
CREATE INDEX "TransferTransaction_unsettled" ON "TransferTransaction" ("environment", "createdAt") WHERE "status" = 'SUBMITTED';
CREATE INDEX "Payment_not_final" ON "Payment" ("environment", "paidAt") WHERE "status" = 'SUCCEEDED' AND NOT "finalized";
CREATE INDEX "ChainTransfer_unsettled" ON "ChainTransfer" ("environment", "slot") WHERE "paymentId" IS NULL;
