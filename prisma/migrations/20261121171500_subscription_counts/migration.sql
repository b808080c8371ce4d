CREATE TABLE "SubscriptionCount" (
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "SubscriptionCount_pkey" PRIMARY KEY ("merchantId","environment")
);
CREATE TABLE "SubscriptionCountChange" (
    "id" BIGSERIAL NOT NULL,
    "merchantId" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "SubscriptionCountChange_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "SubscriptionCountChange_merchantId_environment_idx" ON "SubscriptionCountChange"("merchantId", "environment");

-- One row a statement and merchant, as the days of plans are counted: nobody waits for somebody else's count.
CREATE FUNCTION "count_new_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SubscriptionCountChange" ("merchantId", "environment", "count")
  SELECT "merchantId", "environment", count(*) FROM "inserted" GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "Subscription_count_new" AFTER INSERT ON "Subscription"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_new_subscriptions"();

CREATE FUNCTION "count_deleted_subscriptions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SubscriptionCountChange" ("merchantId", "environment", "count")
  SELECT "merchantId", "environment", -count(*) FROM "deleted" GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER "Subscription_count_deleted" AFTER DELETE ON "Subscription"
  REFERENCING OLD TABLE AS "deleted" FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_subscriptions"();

-- Those that were there before. Nobody subscribes between this and the triggers.
LOCK TABLE "Subscription" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "SubscriptionCount" ("merchantId", "environment", "count")
SELECT "merchantId", "environment", count(*) FROM "Subscription" GROUP BY 1, 2;
