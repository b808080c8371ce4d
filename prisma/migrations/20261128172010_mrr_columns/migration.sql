-- What a subscription contributes to the monthly recurring revenue while it is collected, in base units. A trigger computes it
-- from its price, because the release before does not write it. Triggers run in the order of their names: this one after the one
-- that fills in the price.
CREATE FUNCTION "monthly_revenue"("amount" bigint, "intervalSeconds" integer) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT div("amount"::numeric * 2592000, "intervalSeconds") $$;

ALTER TABLE "Subscription" ADD COLUMN "mrr" DECIMAL(38, 0);
CREATE FUNCTION "fill_mrr"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."mrr" := (SELECT "monthly_revenue"(r."amount", p."intervalSeconds")
    FROM "Plan" p JOIN "Price" r ON r."id" = NEW."priceId" WHERE p."id" = NEW."planId");
  RETURN NEW;
END $$;
CREATE TRIGGER "Subscription_fill_revenue" BEFORE INSERT ON "Subscription"
  FOR EACH ROW WHEN (NEW."mrr" IS NULL) EXECUTE FUNCTION "fill_mrr"();
CREATE TRIGGER "Subscription_new_revenue" BEFORE UPDATE OF "priceId" ON "Subscription"
  FOR EACH ROW WHEN (NEW."priceId" IS DISTINCT FROM OLD."priceId") EXECUTE FUNCTION "fill_mrr"();

-- What the subscriptions of a wallet contribute together. A wallet without a row has never contributed.
CREATE TABLE "CustomerMrr" (
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "walletAddress" TEXT NOT NULL,
  "mint" TEXT NOT NULL,
  "amount" DECIMAL(38, 0) NOT NULL,
  CONSTRAINT "CustomerMrr_pkey" PRIMARY KEY ("merchantId", "environment", "walletAddress", "mint")
);
CREATE TABLE "MrrDay" (
  "planId" UUID NOT NULL,
  "day" DATE NOT NULL,
  "new" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "expansion" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "contraction" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "churn" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "reactivation" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "moved" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  CONSTRAINT "MrrDay_pkey" PRIMARY KEY ("planId", "day")
);
CREATE TABLE "MrrChange" (
  "id" BIGSERIAL NOT NULL,
  "planId" UUID NOT NULL,
  "day" DATE NOT NULL,
  "new" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "expansion" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "contraction" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "churn" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "reactivation" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  "moved" DECIMAL(38, 0) NOT NULL DEFAULT 0,
  CONSTRAINT "MrrChange_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "MrrChange_planId_idx" ON "MrrChange"("planId");
