-- What a merchant's customer may do, as it was last recorded: `domain/billing/customer-state/`.
CREATE TABLE "CustomerState" (
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "customerId" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "document" JSONB,
  "changesAt" TIMESTAMPTZ(3),
  -- The timeline of the database and the transaction that wrote the version, so that readers can follow the
  -- changes. The number of a transaction is never used again within a timeline.
  "timeline" INTEGER NOT NULL DEFAULT 1,
  "changedIn" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "CustomerState_pkey" PRIMARY KEY ("merchantId", "environment", "customerId"),
  CONSTRAINT "CustomerState_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "CustomerState_changed" ON "CustomerState" ("merchantId", "environment", "timeline", "changedIn", "customerId");
CREATE INDEX "CustomerState_changesAt" ON "CustomerState" ("changesAt") WHERE "changesAt" IS NOT NULL;

-- States to compute again: of one customer, of a plan's customers, or of all customers of a merchant.
CREATE TABLE "StateRefresh" (
  "id" BIGSERIAL NOT NULL,
  "merchantId" UUID NOT NULL,
  "environment" "Environment" NOT NULL,
  "customerId" TEXT,
  "planId" UUID,
  -- The last row that was done: a subscription of the plan, or a customer.
  "after" UUID,
  CONSTRAINT "StateRefresh_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "StateRefresh_merchantId_fkey" FOREIGN KEY ("merchantId") REFERENCES "Merchant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "StateRefresh_merchant" ON "StateRefresh" ("merchantId", "environment");

CREATE TABLE "PlanFeature" (
  "planId" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "limit" BIGINT,
  CONSTRAINT "PlanFeature_pkey" PRIMARY KEY ("planId", "key"),
  CONSTRAINT "PlanFeature_planId_fkey" FOREIGN KEY ("planId") REFERENCES "Plan" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "PlanFeature_limit" CHECK ("limit" >= 0)
);
ALTER TABLE "Plan" ADD COLUMN "graceSeconds" INTEGER;
ALTER TABLE "MerchantSettings" ADD COLUMN "graceSeconds" INTEGER NOT NULL DEFAULT 0;

-- A release that does not know states leaves false. The customers of its transitions are marked.
ALTER TABLE "SubscriptionTransition" ADD COLUMN "stateRecorded" BOOLEAN NOT NULL DEFAULT false;
CREATE FUNCTION "mark_states"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StateRefresh" ("merchantId", "environment", "customerId")
  SELECT DISTINCT c."merchantId", c."environment", coalesce(c."customerId", c."id"::text)
  FROM "inserted" t JOIN "Subscription" s ON s."id" = t."subscriptionId" JOIN "Customer" c ON c."id" = s."customerId"
  WHERE NOT t."stateRecorded";
  RETURN NULL;
END $$;
LOCK TABLE "SubscriptionTransition" IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER "SubscriptionTransition_mark_states" AFTER INSERT ON "SubscriptionTransition"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "mark_states"();

-- A customer who gets another id of the merchant leaves the state of the old one.
CREATE FUNCTION "mark_left_state"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StateRefresh" ("merchantId", "environment", "customerId")
  VALUES (OLD."merchantId", OLD."environment", coalesce(OLD."customerId", OLD."id"::text)),
    (NEW."merchantId", NEW."environment", coalesce(NEW."customerId", NEW."id"::text));
  RETURN NULL;
END $$;
CREATE TRIGGER "Customer_mark_left_state" AFTER UPDATE OF "customerId" ON "Customer"
  FOR EACH ROW WHEN (OLD."customerId" IS DISTINCT FROM NEW."customerId") EXECUTE FUNCTION "mark_left_state"();

-- The states of the customers until now.
INSERT INTO "StateRefresh" ("merchantId", "environment")
SELECT m."id", e."environment" FROM "Merchant" m CROSS JOIN unnest(enum_range(NULL::"Environment")) AS e ("environment");
