-- A payment that the cluster rolled back is taken off the day that it was counted on.
CREATE OR REPLACE FUNCTION "count_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT n."planId", (n."paidAt" AT TIME ZONE 'UTC')::date, sum((o."status" <> 'SUCCEEDED')::int),
    sum(n."amount" - CASE WHEN o."status" = 'SUCCEEDED' THEN o."amount" ELSE 0 END)
  FROM "updated" n JOIN "before" o ON o."id" = n."id"
  WHERE n."status" = 'SUCCEEDED' AND (o."status" <> 'SUCCEEDED' OR o."amount" <> n."amount") GROUP BY 1, 2;
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT o."planId", (o."paidAt" AT TIME ZONE 'UTC')::date, -count(*), -sum(o."amount")
  FROM "updated" n JOIN "before" o ON o."id" = n."id"
  WHERE o."status" = 'SUCCEEDED' AND n."status" <> 'SUCCEEDED' GROUP BY 1, 2;
  RETURN NULL;
END $$;
