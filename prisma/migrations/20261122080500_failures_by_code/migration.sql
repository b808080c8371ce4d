-- Failures by their reason, beside their total. Days before this migration have the total only.
ALTER TABLE "PlanDay"
  ADD COLUMN "insufficientFunds" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "approvalRevoked" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "accountFrozen" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "accountClosed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "PlanDayChange"
  ADD COLUMN "insufficientFunds" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "approvalRevoked" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "accountFrozen" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "accountClosed" INTEGER NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION "count_failures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "PlanDayChange" ("planId", "day", "failed",
    "insufficientFunds", "approvalRevoked", "accountFrozen", "accountClosed")
  SELECT s."planId", (e."createdAt" AT TIME ZONE 'UTC')::date, count(*),
    count(*) FILTER (WHERE e."data"->>'failureCode' = 'INSUFFICIENT_FUNDS'),
    count(*) FILTER (WHERE e."data"->>'failureCode' = 'APPROVAL_REVOKED'),
    count(*) FILTER (WHERE e."data"->>'failureCode' = 'ACCOUNT_FROZEN'),
    count(*) FILTER (WHERE e."data"->>'failureCode' = 'ACCOUNT_CLOSED')
  FROM "inserted" e JOIN "Subscription" s ON s."id" = e."subscriptionId"
  WHERE e."type" = 'subscription.payment_failed' GROUP BY 1, 2;
  RETURN NULL;
END $$;
