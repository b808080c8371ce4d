-- Whether the customer entered the code of the session's discount: only then may the page show the code.
ALTER TABLE "CheckoutSession" ADD COLUMN "byCode" BOOLEAN NOT NULL DEFAULT false;

-- When transactions with the discount were last handed out.
ALTER TABLE "DiscountRedemption" ADD COLUMN "handedOutAt" TIMESTAMPTZ(3);

-- Also a session that shows a discount of which no redemption was reserved, because its app built the transaction, is left to a
-- later release.
CREATE OR REPLACE FUNCTION "refuse_unredeemed_discount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "DiscountRedemption" WHERE "sessionId" = NEW."id" AND "status" <> 'REDEEMED')
    OR NEW."discountId" IS NOT NULL
      AND NOT EXISTS (SELECT FROM "DiscountRedemption" WHERE "sessionId" = NEW."id" AND "status" = 'REDEEMED') THEN
    RAISE EXCEPTION 'this checkout has a discount and is completed by a later release'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'CheckoutSession_discount_redeemed';
  END IF;
  RETURN NEW;
END $$;
