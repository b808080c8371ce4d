-- Outside a transaction.
-- Subscriptions of earlier releases have the first price of their plan. In batches of 5,000. Each batch commits, so no row stays
-- locked for long, and a standby has time to follow. Run again, it finds less to do.
DO $$
DECLARE
  "after" uuid := '00000000-0000-0000-0000-000000000000';
  "upTo" uuid;
BEGIN
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Subscription" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Subscription" s SET "priceId" = p."id" FROM "Price" p
      WHERE s."id" > "after" AND s."id" <= "upTo" AND s."priceId" IS NULL AND p."planId" = s."planId" AND p."version" = 1;
    COMMIT;
    PERFORM pg_sleep(0.02);
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;
END $$;

ALTER TABLE "Subscription" DROP CONSTRAINT IF EXISTS "Subscription_has_price";
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_has_price" CHECK ("priceId" IS NOT NULL AND "nextAmount" >= 0) NOT VALID;
ALTER TABLE "Subscription" VALIDATE CONSTRAINT "Subscription_has_price";
