-- The counts of a day change by what its payments were before and are now. The two sets are added up, and not
-- joined: PostgreSQL has no statistics of them, and compared each row of one with each row of the other.
CREATE OR REPLACE FUNCTION "count_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT "planId", ("paidAt" AT TIME ZONE 'UTC')::date, sum("paid"), sum("paid" * coalesce(nullif("paidAmount", 0), "amount"))
  FROM (
    SELECT "planId", "paidAt", "paidAmount", "amount", 1 AS "paid" FROM "updated" WHERE "status" = 'SUCCEEDED'
    UNION ALL
    SELECT "planId", "paidAt", "paidAmount", "amount", -1 FROM "before" WHERE "status" = 'SUCCEEDED'
  ) AS "changed"
  GROUP BY 1, 2
  HAVING sum("paid") <> 0 OR sum("paid" * coalesce(nullif("paidAmount", 0), "amount")) <> 0;
  RETURN NULL;
END $$;

-- All new payments of a statement are checked together, which costs less than a call for each.
CREATE FUNCTION "check_all_new_lines"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "wrong" record;
BEGIN
  SELECT p."amount", sums."sum" INTO "wrong"
  FROM "inserted" p CROSS JOIN LATERAL (
    SELECT coalesce(sum((line->>'amount')::bigint), 0)::bigint AS "sum" FROM jsonb_array_elements(p."lines") AS line
  ) AS sums
  WHERE p."lines" IS NOT NULL AND sums."sum" <> p."amount" LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the lines of a payment are %, and its amount is %', "wrong"."sum", "wrong"."amount"
      USING ERRCODE = 'check_violation', CONSTRAINT = 'Payment_lines_sum';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER "Payment_new_lines" ON "Payment";
CREATE TRIGGER "Payment_new_lines" AFTER INSERT ON "Payment"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "check_all_new_lines"();
DROP FUNCTION "check_new_lines"();

-- The release before does not write the plan of a payment.
DROP TRIGGER "Payment_plan" ON "Payment";
CREATE TRIGGER "Payment_plan" BEFORE INSERT ON "Payment"
  FOR EACH ROW WHEN (NEW."planId" IS NULL) EXECUTE FUNCTION "payment_plan"();
