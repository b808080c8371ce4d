-- The release before collects a payment that waits for a top-up, and leaves the end of its access. A later failure would then end
-- the access at once.
CREATE FUNCTION "clear_access_until"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."accessUntil" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_access_until" BEFORE UPDATE OF "status" ON "Subscription" FOR EACH ROW
  WHEN (OLD."status" = 'PAST_DUE' AND NEW."status" = 'ACTIVE' AND NEW."accessUntil" IS NOT NULL) EXECUTE FUNCTION "clear_access_until"();
