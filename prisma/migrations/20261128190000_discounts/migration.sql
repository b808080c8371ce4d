-- Discounts. A subscription has at most one, for its payments from index "discountFrom" up to "discountUntil".
ALTER TYPE "WaivedReason" ADD VALUE 'DISCOUNT';
CREATE TYPE "RedemptionStatus" AS ENUM ('RESERVED', 'REDEEMED', 'RELEASED');

CREATE TABLE "Discount" (
  "id" UUID NOT NULL,
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "code" TEXT,
  "name" TEXT NOT NULL,
  "percentBps" INTEGER,
  "amount" BIGINT,
  "mint" TEXT,
  "periods" INTEGER,
  "planIds" UUID[],
  "maxRedemptions" INTEGER,
  "maxPerCustomer" INTEGER,
  "firstPurchaseOnly" BOOLEAN NOT NULL DEFAULT false,
  "startsAt" TIMESTAMPTZ(3),
  "endsAt" TIMESTAMPTZ(3),
  "isActive" BOOLEAN NOT NULL DEFAULT true,
  "taken" INTEGER NOT NULL DEFAULT 0,
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "Discount_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "Discount_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  -- It takes a part of the price, or an amount of one token.
  CONSTRAINT "Discount_one_value" CHECK (("percentBps" IS NULL) <> ("amount" IS NULL) AND ("amount" IS NULL) = ("mint" IS NULL)),
  CONSTRAINT "Discount_value_above_zero" CHECK ("percentBps" BETWEEN 1 AND 10000 OR "amount" > 0),
  CONSTRAINT "Discount_counts" CHECK ("taken" >= 0 AND "periods" > 0 AND "maxRedemptions" > 0 AND "maxPerCustomer" > 0)
);
CREATE INDEX "Discount_merchantId_environment_createdAt_id_idx" ON "Discount"("merchantId", "environment", "createdAt", "id");
-- A code is entered in any case.
CREATE UNIQUE INDEX "Discount_code" ON "Discount"("merchantId", "environment", lower("code"));

ALTER TABLE "CheckoutSession"
  ADD COLUMN "discountId" UUID,
  ADD COLUMN "allowsCodes" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "codeTries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "CheckoutSession" ADD CONSTRAINT "CheckoutSession_discountId_fkey"
  FOREIGN KEY ("discountId") REFERENCES "Discount"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;
ALTER TABLE "PaymentLink" ADD COLUMN "allowsCodes" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "DiscountRedemption" (
  "id" UUID NOT NULL,
  "discountId" UUID NOT NULL,
  "sessionId" TEXT,
  "subscriptionId" UUID,
  "identities" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "status" "RedemptionStatus" NOT NULL,
  "expiresAt" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "DiscountRedemption_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "DiscountRedemption_discountId_fkey" FOREIGN KEY ("discountId") REFERENCES "Discount"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "DiscountRedemption_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "CheckoutSession"("id") ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "DiscountRedemption_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "Subscription"("id") ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "DiscountRedemption_reserved_expires" CHECK ("status" <> 'RESERVED' OR "expiresAt" IS NOT NULL)
);
CREATE UNIQUE INDEX "DiscountRedemption_sessionId_key" ON "DiscountRedemption"("sessionId");
CREATE INDEX "DiscountRedemption_discountId_createdAt_id_idx" ON "DiscountRedemption"("discountId", "createdAt", "id");
CREATE INDEX "DiscountRedemption_subscriptionId_idx" ON "DiscountRedemption"("subscriptionId");
CREATE INDEX "DiscountRedemption_identities_idx" ON "DiscountRedemption" USING GIN ("identities");
-- The reservations, by the time at which their redemptions are given back.
CREATE INDEX "DiscountRedemption_reserved" ON "DiscountRedemption"("expiresAt") WHERE "status" = 'RESERVED';

ALTER TABLE "Subscription"
  ADD COLUMN "discountRedemptionId" UUID,
  ADD COLUMN "discountFrom" INTEGER,
  ADD COLUMN "discountUntil" INTEGER;
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_discountRedemptionId_fkey"
  FOREIGN KEY ("discountRedemptionId") REFERENCES "DiscountRedemption"("id") ON DELETE SET NULL ON UPDATE CASCADE NOT VALID;

-- The release before does not know discounts, and would start the subscription at the full price. The checkout stays open for a
-- later release, which redeems the discount first.
CREATE FUNCTION "refuse_unredeemed_discount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "DiscountRedemption" WHERE "sessionId" = NEW."id" AND "status" <> 'REDEEMED') THEN
    RAISE EXCEPTION 'this checkout has a discount and is completed by a later release'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'CheckoutSession_discount_redeemed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "CheckoutSession_discount_redeemed" BEFORE UPDATE OF "status" ON "CheckoutSession" FOR EACH ROW
  WHEN (NEW."status" = 'COMPLETED' AND OLD."status" <> 'COMPLETED')
  EXECUTE FUNCTION "refuse_unredeemed_discount"();
