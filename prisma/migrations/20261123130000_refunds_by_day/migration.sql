-- The refunds of a plan on a day. The trigger writes them to the day itself, because `metrics.fold`
-- of 0.1.0 would delete a `PlanDayChange` without adding columns that it does not know.
ALTER TABLE "PlanDay"
  ADD COLUMN "refunds" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "refunded" DECIMAL(38, 0) NOT NULL DEFAULT 0;

-- A refund that has succeeded is final.
CREATE FUNCTION "count_refunds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDay" AS d ("planId", "day", "refunds", "refunded")
  SELECT p."planId", (n."refundedAt" AT TIME ZONE 'UTC')::date, count(*), sum(n."amount")
  FROM "updated" n JOIN "before" o ON o."id" = n."id" JOIN "Payment" p ON p."id" = n."paymentId"
  WHERE n."status" = 'SUCCEEDED' AND o."status" <> 'SUCCEEDED'
  -- In the order in which all transactions lock the days.
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ("planId", "day") DO UPDATE
    SET "refunds" = d."refunds" + EXCLUDED."refunds", "refunded" = d."refunded" + EXCLUDED."refunded";
  RETURN NULL;
END $$;
CREATE TRIGGER "Refund_count" AFTER UPDATE ON "Refund"
  REFERENCING OLD TABLE AS "before" NEW TABLE AS "updated" FOR EACH STATEMENT EXECUTE FUNCTION "count_refunds"();

-- Refunds from before the trigger, which cannot succeed until this transaction ends.
INSERT INTO "PlanDay" ("planId", "day", "refunds", "refunded")
SELECT p."planId", (r."refundedAt" AT TIME ZONE 'UTC')::date, count(*), sum(r."amount")
FROM "Refund" r JOIN "Payment" p ON p."id" = r."paymentId" WHERE r."status" = 'SUCCEEDED' GROUP BY 1, 2
ON CONFLICT ("planId", "day") DO UPDATE SET "refunds" = EXCLUDED."refunds", "refunded" = EXCLUDED."refunded";
