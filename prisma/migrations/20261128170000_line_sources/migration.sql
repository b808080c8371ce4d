-- What a subscription's payments consist of beyond the price of its plan, in bits: `price/line-sources.ts`. A release that does
-- not know a bit would charge another amount than is owed. It neither claims the subscription nor writes its payments.
ALTER TABLE "Subscription"
  ADD COLUMN "lineSources" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "claimSources" INTEGER;

-- A claim of such a subscription names the bits that the claiming release knows. They are not stored, so that the next claim
-- has to name them again. The release before names none: its statement leaves the row out.
CREATE FUNCTION "check_claim_sources"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."lineSources" & ~coalesce(NEW."claimSources", 0) <> 0 THEN RETURN NULL; END IF;
  NEW."claimSources" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_claim_sources" BEFORE UPDATE OF "claimedUntil" ON "Subscription" FOR EACH ROW
  WHEN (NEW."lineSources" <> 0 AND NEW."claimedUntil" IS NOT NULL AND NEW."claimedUntil" IS DISTINCT FROM OLD."claimedUntil")
  EXECUTE FUNCTION "check_claim_sources"();

-- A worker that claimed the subscription before it had this source has prepared another payment. It does not send it.
CREATE FUNCTION "end_claim"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."claimedUntil" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_new_source" BEFORE UPDATE OF "lineSources" ON "Subscription" FOR EACH ROW
  WHEN (NEW."lineSources" & ~OLD."lineSources" <> 0) EXECUTE FUNCTION "end_claim"();

-- The release before writes no lines. Its indexer writes payments without a claim: it sets the update aside, which is applied later.
CREATE FUNCTION "refuse_payment_without_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Subscription" WHERE "id" = NEW."subscriptionId" AND "lineSources" <> 0) THEN
    RAISE EXCEPTION 'payments of this subscription are written by a later release, with lines'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Payment_lines_needed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Payment_lines_needed" BEFORE INSERT ON "Payment"
  FOR EACH ROW WHEN (NEW."lines" IS NULL) EXECUTE FUNCTION "refuse_payment_without_lines"();

-- Only the release before changes "amount". It takes any payment of a period for the period's only one.
CREATE OR REPLACE FUNCTION "keep_amount"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Payment" p WHERE p."subscriptionId" = NEW."subscriptionId"
      AND p."periodStart" = NEW."periodStart" AND p."ordinal" > 0) THEN
    RAISE EXCEPTION 'a period with several payments is changed by a later release'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Payment_several';
  END IF;
  NEW."paidAmount" := CASE
    WHEN NEW."status" <> 'SUCCEEDED' THEN 0
    WHEN OLD."status" = 'SUCCEEDED' AND OLD."paidAmount" > 0 THEN OLD."paidAmount" + NEW."amount" - OLD."amount"
    ELSE NEW."amount" END;
  NEW."amount" := OLD."amount";
  RETURN NEW;
END $$;
