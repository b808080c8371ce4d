-- The offset of a subscription's first due date from its start, and the period of a plan's account on chain
-- apart from its billing interval. The release before writes neither: triggers fill them from what it writes.
ALTER TABLE "Plan" ADD COLUMN "periodSeconds" INTEGER;
ALTER TABLE "Subscription" ADD COLUMN "anchorOffsetSeconds" INTEGER;

CREATE FUNCTION "fill_period_seconds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."periodSeconds" := NEW."intervalSeconds";
  RETURN NEW;
END $$;
CREATE TRIGGER "Plan_fill_period_seconds" BEFORE INSERT ON "Plan"
  FOR EACH ROW WHEN (NEW."periodSeconds" IS NULL) EXECUTE FUNCTION "fill_period_seconds"();

CREATE FUNCTION "fill_anchor_offset"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."anchorOffsetSeconds" := CASE WHEN NEW."trialGranted"
    THEN (SELECT "trialPeriodSeconds" FROM "Plan" WHERE "id" = NEW."planId") ELSE 0 END;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_fill_anchor_offset" BEFORE INSERT ON "Subscription"
  FOR EACH ROW WHEN (NEW."anchorOffsetSeconds" IS NULL) EXECUTE FUNCTION "fill_anchor_offset"();
