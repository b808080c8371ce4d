-- Outside a transaction.
-- Subscriptions of earlier releases, in batches of 5,000. Each batch commits, so no row stays locked for long,
-- and a standby has time to follow. Run again, it finds less to do.
DO $$
DECLARE
  "after" uuid := '00000000-0000-0000-0000-000000000000';
  "upTo" uuid;
BEGIN
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Subscription" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Subscription" s SET "mrr" = "monthly_revenue"(p."amount", p."intervalSeconds")
      FROM "Plan" p WHERE p."id" = s."planId" AND s."id" > "after" AND s."id" <= "upTo" AND s."mrr" IS NULL;
    COMMIT;
    PERFORM pg_sleep(0.02);
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;
END $$;

-- A validated check lets SET NOT NULL read no row.
ALTER TABLE "Subscription" DROP CONSTRAINT IF EXISTS "Subscription_mrr";
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_mrr" CHECK ("mrr" IS NOT NULL AND "mrr" >= 0) NOT VALID;
ALTER TABLE "Subscription" VALIDATE CONSTRAINT "Subscription_mrr";
ALTER TABLE "Subscription" ALTER COLUMN "mrr" SET NOT NULL;
