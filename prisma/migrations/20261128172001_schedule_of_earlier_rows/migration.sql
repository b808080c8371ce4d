-- Outside a transaction.
-- Rows of earlier releases, in batches of 5,000. Each batch commits, so no row stays locked for long, and a
-- standby has time to follow. Run again, it finds less to do.
DO $$
DECLARE
  "after" uuid := '00000000-0000-0000-0000-000000000000';
  "upTo" uuid;
BEGIN
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Plan" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Plan" SET "periodSeconds" = "intervalSeconds"
      WHERE "id" > "after" AND "id" <= "upTo" AND "periodSeconds" IS NULL;
    COMMIT;
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;

  "after" := '00000000-0000-0000-0000-000000000000';
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Subscription" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Subscription" s
      SET "anchorOffsetSeconds" = CASE WHEN s."trialGranted" THEN p."trialPeriodSeconds" ELSE 0 END
      FROM "Plan" p WHERE p."id" = s."planId" AND s."id" > "after" AND s."id" <= "upTo"
        AND s."anchorOffsetSeconds" IS NULL;
    COMMIT;
    PERFORM pg_sleep(0.02);
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;
END $$;

-- A validated check lets SET NOT NULL read no row.
ALTER TABLE "Plan" DROP CONSTRAINT IF EXISTS "Plan_period";
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_period" CHECK
  ("periodSeconds" IS NOT NULL AND "periodSeconds" > 0 AND "intervalSeconds" >= "periodSeconds") NOT VALID;
ALTER TABLE "Plan" VALIDATE CONSTRAINT "Plan_period";
ALTER TABLE "Plan" ALTER COLUMN "periodSeconds" SET NOT NULL;
ALTER TABLE "Subscription" DROP CONSTRAINT IF EXISTS "Subscription_anchor_offset";
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_anchor_offset" CHECK
  ("anchorOffsetSeconds" IS NOT NULL AND "anchorOffsetSeconds" >= 0) NOT VALID;
ALTER TABLE "Subscription" VALIDATE CONSTRAINT "Subscription_anchor_offset";
ALTER TABLE "Subscription" ALTER COLUMN "anchorOffsetSeconds" SET NOT NULL;
