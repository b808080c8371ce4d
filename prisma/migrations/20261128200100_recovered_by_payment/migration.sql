-- A subscription of which the overdue payment is waived is active again, and nothing was recovered.
CREATE OR REPLACE FUNCTION "count_transitions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange"
    ("planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "returned", "recovered")
  SELECT s."planId", (t."at" AT TIME ZONE 'UTC')::date,
    sum((t."to" = 'ACTIVE')::int - (t."from" IS NOT DISTINCT FROM 'ACTIVE')::int),
    sum((t."to" = 'PAST_DUE')::int - (t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int),
    sum((t."to" = 'CANCELLED')::int - (t."from" IS NOT DISTINCT FROM 'CANCELLED')::int),
    sum((t."to" = 'EXPIRED')::int - (t."from" IS NOT DISTINCT FROM 'EXPIRED')::int),
    sum((t."from" IS NULL)::int),
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'CANCELLED')::int),
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'EXPIRED')::int),
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'PAST_DUE' AND t."reason" <> 'payment_waived')::int)
  FROM "inserted" t JOIN "Subscription" s ON s."id" = t."subscriptionId" GROUP BY 1, 2;
  RETURN NULL;
END $$;
