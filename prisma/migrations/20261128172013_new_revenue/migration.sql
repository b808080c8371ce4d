-- Another price of a subscription that is collected, such as one that a customer resumed in a checkout: an expansion or a
-- contraction at the time of its newest change. A wallet without a row has contributed nothing until now.
CREATE FUNCTION "count_new_revenue"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "delta" numeric := NEW."mrr" - OLD."mrr";
  "isFirst" boolean;
BEGIN
  INSERT INTO "CustomerMrr" AS c ("merchantId", "environment", "walletAddress", "mint", "amount")
    SELECT NEW."merchantId", NEW."environment", NEW."walletAddress", "mint", "delta" FROM "Plan" WHERE "id" = NEW."planId"
    ON CONFLICT ("merchantId", "environment", "walletAddress", "mint") DO UPDATE SET "amount" = c."amount" + EXCLUDED."amount"
    RETURNING xmax = 0 INTO "isFirst";
  INSERT INTO "MrrChange" ("planId", "day", "new", "expansion", "contraction")
    SELECT NEW."planId", (max("at") AT TIME ZONE 'UTC')::date, CASE WHEN "isFirst" THEN "delta" ELSE 0 END,
      CASE WHEN "isFirst" THEN 0 ELSE greatest("delta", 0) END, greatest(-"delta", 0)
    FROM "SubscriptionTransition" WHERE "subscriptionId" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "Subscription_count_new_revenue" AFTER UPDATE OF "priceId" ON "Subscription" FOR EACH ROW
  WHEN (NEW."mrr" <> OLD."mrr" AND NEW."status" IN ('ACTIVE', 'PAST_DUE')) EXECUTE FUNCTION "count_new_revenue"();
