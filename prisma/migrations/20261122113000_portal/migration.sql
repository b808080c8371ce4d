-- The customer portal: links into it, its sessions, and cancellations by customers.
ALTER TYPE "AuditActor" ADD VALUE 'CUSTOMER';

CREATE TYPE "PortalFlow" AS ENUM ('ALL', 'CANCEL', 'REPAIR_APPROVAL', 'TOP_UP');

CREATE TABLE "PortalLink" (
    "id" UUID NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "hash" BYTEA NOT NULL,
    "customerId" UUID,
    "email" TEXT,
    "flow" "PortalFlow" NOT NULL DEFAULT 'ALL',
    "returnUrl" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PortalLink_pkey" PRIMARY KEY ("id"),
    -- It opens what belongs to one customer, or to one email.
    CONSTRAINT "PortalLink_for_one" CHECK (("customerId" IS NULL) <> ("email" IS NULL))
);

CREATE UNIQUE INDEX "PortalLink_hash_key" ON "PortalLink"("hash");
CREATE INDEX "PortalLink_expiresAt_idx" ON "PortalLink"("expiresAt");

CREATE TABLE "PortalSession" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "walletAddress" TEXT,
    "merchantId" UUID,
    "environment" "Environment",
    "customerId" UUID,
    "email" TEXT,
    "flow" "PortalFlow" NOT NULL DEFAULT 'ALL',
    "returnUrl" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "idleUntil" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PortalSession_pkey" PRIMARY KEY ("id"),
    -- A session without a scope would show every subscription.
    CONSTRAINT "PortalSession_for_one" CHECK (
      num_nonnulls("walletAddress", "customerId", "email") = 1
      AND ("walletAddress" IS NULL) = ("merchantId" IS NOT NULL)
      AND ("merchantId" IS NULL) = ("environment" IS NULL))
);

CREATE UNIQUE INDEX "PortalSession_hash_key" ON "PortalSession"("hash");
CREATE INDEX "PortalSession_idleUntil_idx" ON "PortalSession"("idleUntil");

CREATE TABLE "CancellationRequest" (
    "id" UUID NOT NULL,
    "subscriptionId" UUID NOT NULL,
    "reason" TEXT,
    "comment" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "withdrawnAt" TIMESTAMPTZ(3),

    CONSTRAINT "CancellationRequest_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "CancellationRequest_subscriptionId_createdAt_idx" ON "CancellationRequest"("subscriptionId", "createdAt");
-- A subscription has one request that applies.
CREATE UNIQUE INDEX "CancellationRequest_open" ON "CancellationRequest"("subscriptionId") WHERE "withdrawnAt" IS NULL;
