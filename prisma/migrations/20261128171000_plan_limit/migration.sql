-- The limit: what the plan's account on chain allows to be collected in a period. The price is at most the limit.
ALTER TABLE "Plan" ADD COLUMN "maxAmount" BIGINT NOT NULL DEFAULT 0;
UPDATE "Plan" SET "maxAmount" = "amount";
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_price_within_limit" CHECK ("maxAmount" >= "amount");

-- The release before names no limit. Its plans allow the price.
CREATE FUNCTION "fill_limit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."maxAmount" := NEW."amount";
  RETURN NEW;
END $$;
CREATE TRIGGER "Plan_fill_limit" BEFORE INSERT ON "Plan"
  FOR EACH ROW WHEN (NEW."maxAmount" = 0) EXECUTE FUNCTION "fill_limit"();
