-- Settings.
ALTER TABLE "MerchantSettings" ADD COLUMN "redirectUrlsAllowed" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Lists by cursor: each filter that may leave few of many rows has an index in the order of the list.
CREATE INDEX "Plan_merchantId_environment_createdAt_id_idx" ON "Plan"("merchantId", "environment", "createdAt", "id");
CREATE INDEX "Customer_merchantId_environment_createdAt_id_idx" ON "Customer"("merchantId", "environment", "createdAt", "id");
CREATE INDEX "Customer_merchantId_environment_customerId_idx" ON "Customer"("merchantId", "environment", "customerId" text_pattern_ops);
CREATE INDEX "Subscription_merchantId_environment_status_createdAt_id_idx" ON "Subscription"("merchantId", "environment", "status", "createdAt", "id");
DROP INDEX "Subscription_planId_idx";
CREATE INDEX "Subscription_planId_createdAt_id_idx" ON "Subscription"("planId", "createdAt", "id");
ALTER TABLE "Payment" ADD COLUMN "planId" UUID;
UPDATE "Payment" SET "planId" = s."planId" FROM "Subscription" s WHERE s."id" = "Payment"."subscriptionId";
CREATE INDEX "Payment_planId_createdAt_id_idx" ON "Payment"("planId", "createdAt", "id");

-- What Prisma's schema cannot word.
-- Emails are found whatever their case, and by how they begin.
CREATE INDEX "Customer_email" ON "Customer" ("merchantId", "environment", lower("email") text_pattern_ops);
-- The rare ones among many: of the others every page is full anyway, and writing them costs nothing.
-- (A payment has a number when it has succeeded, see Payment_succeeded_whole: a condition that no cast hides from the planner.)
CREATE INDEX "Payment_other_than_succeeded" ON "Payment" ("merchantId", "environment", "status", "createdAt", "id") WHERE "number" IS NULL;
CREATE INDEX "Event_other_than_succeeded" ON "Event" ("merchantId", "environment", "type", "createdAt", "id") WHERE "type" <> 'subscription.payment_succeeded';

-- A payment's plan is its subscription's, whoever writes the payment.
CREATE FUNCTION "payment_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT s."planId" INTO NEW."planId" FROM "Subscription" s WHERE s."id" = NEW."subscriptionId";
  RETURN NEW;
END $$;
CREATE TRIGGER "Payment_plan" BEFORE INSERT ON "Payment" FOR EACH ROW EXECUTE FUNCTION "payment_plan"();

-- What the metrics are made of (docs/metrics.md).
CREATE TABLE "PlanDay" (
    "planId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "active" INTEGER NOT NULL DEFAULT 0,
    "pastDue" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "started" INTEGER NOT NULL DEFAULT 0,
    "resumed" INTEGER NOT NULL DEFAULT 0,
    "recovered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "paid" INTEGER NOT NULL DEFAULT 0,
    "collected" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "PlanDay_pkey" PRIMARY KEY ("planId","day")
);
CREATE TABLE "PlanDayChange" (
    "id" BIGSERIAL NOT NULL,
    "planId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "active" INTEGER NOT NULL DEFAULT 0,
    "pastDue" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "started" INTEGER NOT NULL DEFAULT 0,
    "resumed" INTEGER NOT NULL DEFAULT 0,
    "recovered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "paid" INTEGER NOT NULL DEFAULT 0,
    "collected" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "PlanDayChange_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "PlanDayChange_planId_idx" ON "PlanDayChange"("planId");

-- One row a statement, plan and day: what is written in bulk is counted in bulk.
CREATE FUNCTION "count_transitions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange"
    ("planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "recovered")
  SELECT s."planId", (t."at" AT TIME ZONE 'UTC')::date,
    sum((t."to" = 'ACTIVE')::int - (t."from" IS NOT DISTINCT FROM 'ACTIVE')::int),
    sum((t."to" = 'PAST_DUE')::int - (t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int),
    sum((t."to" = 'CANCELLED')::int - (t."from" IS NOT DISTINCT FROM 'CANCELLED')::int),
    sum((t."to" = 'EXPIRED')::int - (t."from" IS NOT DISTINCT FROM 'EXPIRED')::int),
    sum((t."from" IS NULL)::int),
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'CANCELLED')::int),
    sum((t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int)
  FROM "inserted" t JOIN "Subscription" s ON s."id" = t."subscriptionId" GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "SubscriptionTransition_count" AFTER INSERT ON "SubscriptionTransition"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_transitions"();

CREATE FUNCTION "count_failures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "failed")
  SELECT s."planId", (e."createdAt" AT TIME ZONE 'UTC')::date, count(*)
  FROM "inserted" e JOIN "Subscription" s ON s."id" = e."subscriptionId"
  WHERE e."type" = 'subscription.payment_failed' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_count" AFTER INSERT ON "Event"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_failures"();

CREATE FUNCTION "count_new_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT "planId", ("paidAt" AT TIME ZONE 'UTC')::date, count(*), sum("amount")
  FROM "inserted" WHERE "status" = 'SUCCEEDED' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "Payment_count_new" AFTER INSERT ON "Payment"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_new_payments"();

-- A period's amount may be pulled in parts: the payment is counted once, each part when it comes.
CREATE FUNCTION "count_payments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
  SELECT n."planId", (n."paidAt" AT TIME ZONE 'UTC')::date, sum((o."status" <> 'SUCCEEDED')::int),
    sum(n."amount" - CASE WHEN o."status" = 'SUCCEEDED' THEN o."amount" ELSE 0 END)
  FROM "updated" n JOIN "before" o ON o."id" = n."id"
  WHERE n."status" = 'SUCCEEDED' AND (o."status" <> 'SUCCEEDED' OR o."amount" <> n."amount") GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "Payment_count" AFTER UPDATE ON "Payment"
  REFERENCING OLD TABLE AS "before" NEW TABLE AS "updated" FOR EACH STATEMENT EXECUTE FUNCTION "count_payments"();

-- What happened before there were triggers.
INSERT INTO "PlanDayChange"
  ("planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "recovered")
SELECT s."planId", (t."at" AT TIME ZONE 'UTC')::date,
  (t."to" = 'ACTIVE')::int - (t."from" IS NOT DISTINCT FROM 'ACTIVE')::int,
  (t."to" = 'PAST_DUE')::int - (t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int,
  (t."to" = 'CANCELLED')::int - (t."from" IS NOT DISTINCT FROM 'CANCELLED')::int,
  (t."to" = 'EXPIRED')::int - (t."from" IS NOT DISTINCT FROM 'EXPIRED')::int,
  (t."from" IS NULL)::int,
  (t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'CANCELLED')::int,
  (t."to" = 'ACTIVE' AND t."from" IS NOT DISTINCT FROM 'PAST_DUE')::int
FROM "SubscriptionTransition" t JOIN "Subscription" s ON s."id" = t."subscriptionId";
INSERT INTO "PlanDayChange" ("planId", "day", "failed")
SELECT s."planId", (e."createdAt" AT TIME ZONE 'UTC')::date, 1
FROM "Event" e JOIN "Subscription" s ON s."id" = e."subscriptionId" WHERE e."type" = 'subscription.payment_failed';
INSERT INTO "PlanDayChange" ("planId", "day", "paid", "collected")
SELECT "planId", ("paidAt" AT TIME ZONE 'UTC')::date, 1, "amount" FROM "Payment" WHERE "status" = 'SUCCEEDED';
