-- Outside a transaction.
-- Payments of earlier releases, in batches of 5,000 payments. Each batch commits, so no row stays locked for long, and a
-- standby has time to follow. Run again, it
-- finds less to do.
DO $$
DECLARE
  "after" uuid := '00000000-0000-0000-0000-000000000000';
  "upTo" uuid;
BEGIN
  LOOP
    SELECT "id" INTO "upTo" FROM (SELECT "id" FROM "Payment" WHERE "id" > "after" ORDER BY "id" LIMIT 5000) AS b
      ORDER BY "id" DESC LIMIT 1;
    EXIT WHEN "upTo" IS NULL;
    UPDATE "Payment" SET "paidAmount" = "amount"
      WHERE "id" > "after" AND "id" <= "upTo" AND "status" = 'SUCCEEDED' AND "paidAmount" = 0;
    COMMIT;
    PERFORM pg_sleep(0.02);
    "after" := "upTo";
    "upTo" := NULL;
  END LOOP;
END $$;

-- Only a waived payment may owe nothing. A payment has a paid amount if it succeeded.
ALTER TABLE "Payment" DROP CONSTRAINT IF EXISTS "Payment_owed", DROP CONSTRAINT IF EXISTS "Payment_paid",
  DROP CONSTRAINT IF EXISTS "Payment_waived_whole";
ALTER TABLE "Payment"
  ADD CONSTRAINT "Payment_owed" CHECK ("amount" > 0 OR ("amount" = 0 AND "status" = 'WAIVED')) NOT VALID,
  ADD CONSTRAINT "Payment_paid" CHECK (("status" = 'SUCCEEDED') = ("paidAmount" > 0)) NOT VALID,
  ADD CONSTRAINT "Payment_waived_whole" CHECK (("status" = 'WAIVED') = ("waivedReason" IS NOT NULL)) NOT VALID;
ALTER TABLE "Payment" VALIDATE CONSTRAINT "Payment_owed";
ALTER TABLE "Payment" VALIDATE CONSTRAINT "Payment_paid";
ALTER TABLE "Payment" VALIDATE CONSTRAINT "Payment_waived_whole";
ALTER TABLE "Payment" DROP CONSTRAINT IF EXISTS "Payment_amount_above_zero";
