-- How failed payments of a plan are retried.
CREATE TYPE "RetryPolicy" AS ENUM ('QUICK', 'DAYS', 'UNTIL_PAID');
ALTER TABLE "Plan" ADD COLUMN "retryPolicy" "RetryPolicy" NOT NULL DEFAULT 'QUICK';

-- The release before knows no policies. It would retry such a payment too early, and expire the subscription. It may collect the
-- payment, but it does not record a failure: its write fails, and a later release makes the next attempt. A later release names
-- what it knows in "claimSources", which is not stored.
CREATE FUNCTION "check_retry_policy"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."claimSources" IS NULL AND EXISTS (SELECT FROM "Plan" WHERE "id" = NEW."planId" AND "retryPolicy" <> 'QUICK') THEN
    RAISE EXCEPTION 'failures of this subscription are recorded by a later release, which knows the retry policy of the plan'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Subscription_retry_policy';
  END IF;
  NEW."claimSources" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_retry_policy" BEFORE UPDATE OF "failureCount" ON "Subscription" FOR EACH ROW
  WHEN (NEW."failureCount" > OLD."failureCount") EXECUTE FUNCTION "check_retry_policy"();
