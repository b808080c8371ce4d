-- Versions of a plan's price. A subscription keeps the one of its checkout.
CREATE TABLE "Price" (
  "id" UUID NOT NULL,
  "planId" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "amount" BIGINT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "retiredAt" TIMESTAMPTZ(3),
  CONSTRAINT "Price_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "Price_amount_above_zero" CHECK ("amount" > 0)
);
CREATE UNIQUE INDEX "Price_planId_version_key" ON "Price"("planId", "version");
ALTER TABLE "Price" ADD CONSTRAINT "Price_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "refuse_other_price"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a price changes only by its retirement' USING ERRCODE = 'check_violation', CONSTRAINT = 'Price_fixed';
END $$;
CREATE TRIGGER "Price_fixed" BEFORE UPDATE ON "Price" FOR EACH ROW
  WHEN ((NEW."id", NEW."planId", NEW."version", NEW."amount", NEW."createdAt")
    IS DISTINCT FROM (OLD."id", OLD."planId", OLD."version", OLD."amount", OLD."createdAt") OR OLD."retiredAt" IS NOT NULL)
  EXECUTE FUNCTION "refuse_other_price"();

INSERT INTO "Price" ("id", "planId", "version", "amount", "createdAt")
  SELECT gen_random_uuid(), "id", 1, "amount", "createdAt" FROM "Plan";

-- Every plan has version 1, also one of the release before.
CREATE FUNCTION "add_first_price"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Price" ("id", "planId", "version", "amount", "createdAt")
    VALUES (gen_random_uuid(), NEW."id", 1, NEW."amount", NEW."createdAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Plan_first_price" AFTER INSERT ON "Plan" FOR EACH ROW EXECUTE FUNCTION "add_first_price"();

ALTER TABLE "Subscription" ADD COLUMN "priceId" UUID, ADD COLUMN "nextAmount" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "CheckoutSession" ADD COLUMN "priceId" UUID, ADD COLUMN "amount" BIGINT;

-- A subscription without a price has the plan's newest one: the release before names none. The lock makes it wait for a new
-- price that is being written. Bit 1 (PRICE): the release before would charge another amount, or would not be stopped by the
-- limit.
CREATE FUNCTION "fill_subscription_price"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "plan" record;
  "price" record;
BEGIN
  SELECT "amount", "maxAmount" INTO "plan" FROM "Plan" WHERE "id" = NEW."planId" FOR KEY SHARE;
  SELECT p."id", p."amount" INTO "price" FROM "Price" p
    WHERE p."planId" = NEW."planId" AND (NEW."priceId" IS NULL OR p."id" = NEW."priceId") ORDER BY p."version" DESC LIMIT 1;
  IF NEW."priceId" IS NOT NULL AND "price"."id" IS NULL THEN
    RAISE EXCEPTION 'the price % is not one of the plan', NEW."priceId"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Subscription_price_of_plan';
  END IF;
  NEW."priceId" := "price"."id";
  IF NEW."nextAmount" = 0 THEN NEW."nextAmount" := coalesce("price"."amount", 0); END IF;
  IF "plan"."maxAmount" <> "plan"."amount" OR "price"."amount" <> "plan"."amount" THEN
    NEW."lineSources" := NEW."lineSources" | 1;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_fill_price" BEFORE INSERT OR UPDATE OF "priceId" ON "Subscription"
  FOR EACH ROW EXECUTE FUNCTION "fill_subscription_price"();

-- A checkout session keeps the price with which it was created.
CREATE FUNCTION "fill_session_price"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p."id", p."amount" INTO NEW."priceId", NEW."amount" FROM "Price" p
    WHERE p."planId" = NEW."planId" AND (NEW."priceId" IS NULL OR p."id" = NEW."priceId") ORDER BY p."version" DESC LIMIT 1;
  RETURN NEW;
END $$;
CREATE TRIGGER "CheckoutSession_fill_price" BEFORE INSERT ON "CheckoutSession"
  FOR EACH ROW EXECUTE FUNCTION "fill_session_price"();
UPDATE "CheckoutSession" c SET "priceId" = p."id", "amount" = p."amount"
  FROM "Price" p WHERE p."planId" = c."planId" AND c."status" = 'OPEN';
