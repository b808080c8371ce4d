-- Expired subscriptions whose wallets subscribed again. Without them, the active subscriptions of a
-- day do not follow from those of the day before, and a day on which one returns has one expired too
-- few.
ALTER TABLE "PlanDay" ADD COLUMN "returned" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "PlanDayChange" ADD COLUMN "returned" INTEGER NOT NULL DEFAULT 0;

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
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int)
  FROM "inserted" t JOIN "Subscription" s ON s."id" = t."subscriptionId" GROUP BY 1, 2;
  RETURN NULL;
END $$;

-- The lock waits for transactions that still use the function as it was.
LOCK TABLE "SubscriptionTransition" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "PlanDayChange" ("planId", "day", "returned")
SELECT s."planId", (t."at" AT TIME ZONE 'UTC')::date, count(*)
FROM "SubscriptionTransition" t JOIN "Subscription" s ON s."id" = t."subscriptionId"
WHERE t."to" = 'ACTIVE' AND t."from" = 'EXPIRED' GROUP BY 1, 2;
