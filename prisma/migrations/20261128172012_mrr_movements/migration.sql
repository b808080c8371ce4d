-- The movements of the monthly recurring revenue: docs/metrics.md. A trigger on the transitions counts them, so
-- that no release can omit them. A renewal has no transition, and costs nothing.
CREATE FUNCTION "count_mrr"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH "changed" AS (
    SELECT s."merchantId", s."environment", s."walletAddress", p."mint", s."planId",
      (t."at" AT TIME ZONE 'UTC')::date AS "day",
      sum(CASE WHEN t."to" IN ('ACTIVE', 'PAST_DUE') THEN s."mrr" ELSE -s."mrr" END) AS "delta"
    FROM "inserted" t JOIN "Subscription" s ON s."id" = t."subscriptionId" JOIN "Plan" p ON p."id" = s."planId"
    WHERE (t."to" IN ('ACTIVE', 'PAST_DUE')) <> coalesce(t."from" IN ('ACTIVE', 'PAST_DUE'), false)
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(CASE WHEN t."to" IN ('ACTIVE', 'PAST_DUE') THEN s."mrr" ELSE -s."mrr" END) <> 0
  ), "wallets" AS (
    INSERT INTO "CustomerMrr" AS c ("merchantId", "environment", "walletAddress", "mint", "amount")
    SELECT "merchantId", "environment", "walletAddress", "mint", sum("delta") FROM "changed"
    -- In the order in which all transactions lock the wallets.
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ("merchantId", "environment", "walletAddress", "mint") DO UPDATE SET "amount" = c."amount" + EXCLUDED."amount"
    -- xmax is 0 in a row that was inserted.
    RETURNING "merchantId", "environment", "walletAddress", "mint", "amount", xmax = 0 AS "isFirst"
  ), "netted" AS (
    SELECT x.*, w."amount", w."isFirst", sum(x."delta") OVER k AS "net",
      -- What plans before this one have of the changes in this direction.
      coalesce(sum(abs(x."delta")) OVER (PARTITION BY x."merchantId", x."environment", x."walletAddress", x."mint",
        sign(x."delta") ORDER BY x."planId", x."day" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "before"
    FROM "changed" x JOIN "wallets" w USING ("merchantId", "environment", "walletAddress", "mint")
    WINDOW k AS (PARTITION BY x."merchantId", x."environment", x."walletAddress", x."mint")
  ), "shared" AS (
    -- The part of a plan in the wallet's change. The rest moved between plans.
    SELECT *, CASE WHEN sign("delta") = sign("net")
      THEN greatest(0, least(abs("delta"), abs("net") - "before")) ELSE 0 END AS "share" FROM "netted"
  )
  INSERT INTO "MrrChange" ("planId", "day", "new", "reactivation", "expansion", "contraction", "churn", "moved")
  SELECT "planId", "day",
    sum(CASE WHEN "net" > 0 AND "isFirst" THEN "share" ELSE 0 END),
    sum(CASE WHEN "net" > 0 AND NOT "isFirst" AND "amount" = "net" THEN "share" ELSE 0 END),
    sum(CASE WHEN "net" > 0 AND NOT "isFirst" AND "amount" <> "net" THEN "share" ELSE 0 END),
    sum(CASE WHEN "net" < 0 AND "amount" <> 0 THEN "share" ELSE 0 END),
    sum(CASE WHEN "net" < 0 AND "amount" = 0 THEN "share" ELSE 0 END),
    sum("delta" - sign("net") * "share")
  FROM "shared" GROUP BY 1, 2 ORDER BY 1, 2;
  RETURN NULL;
END $$;

-- The lock waits for transactions that are not counted by the trigger.
LOCK TABLE "SubscriptionTransition" IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER "SubscriptionTransition_count_mrr" AFTER INSERT ON "SubscriptionTransition"
  REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "count_mrr"();

-- The movements until now. Transitions are kept forever.
CREATE TEMPORARY TABLE "mrr_history" ON COMMIT DROP AS
SELECT s."merchantId", s."environment", s."walletAddress", p."mint", s."planId",
  (t."at" AT TIME ZONE 'UTC')::date AS "day", "delta", sum("delta") OVER w AS "amount", row_number() OVER w = 1 AS "isFirst"
FROM "SubscriptionTransition" t JOIN "Subscription" s ON s."id" = t."subscriptionId" JOIN "Plan" p ON p."id" = s."planId"
  CROSS JOIN LATERAL (SELECT CASE WHEN t."to" IN ('ACTIVE', 'PAST_DUE') THEN s."mrr" ELSE -s."mrr" END AS "delta") AS d
WHERE (t."to" IN ('ACTIVE', 'PAST_DUE')) <> coalesce(t."from" IN ('ACTIVE', 'PAST_DUE'), false) AND "delta" <> 0
WINDOW w AS (PARTITION BY s."merchantId", s."environment", s."walletAddress", p."mint" ORDER BY t."at", t."id"
  ROWS UNBOUNDED PRECEDING);

INSERT INTO "CustomerMrr" ("merchantId", "environment", "walletAddress", "mint", "amount")
SELECT "merchantId", "environment", "walletAddress", "mint", sum("delta") FROM "mrr_history" GROUP BY 1, 2, 3, 4;

INSERT INTO "MrrDay" ("planId", "day", "new", "reactivation", "expansion", "contraction", "churn")
SELECT "planId", "day",
  coalesce(sum("delta") FILTER (WHERE "delta" > 0 AND "isFirst"), 0),
  coalesce(sum("delta") FILTER (WHERE "delta" > 0 AND NOT "isFirst" AND "amount" = "delta"), 0),
  coalesce(sum("delta") FILTER (WHERE "delta" > 0 AND NOT "isFirst" AND "amount" <> "delta"), 0),
  coalesce(-sum("delta") FILTER (WHERE "delta" < 0 AND "amount" <> 0), 0),
  coalesce(-sum("delta") FILTER (WHERE "delta" < 0 AND "amount" = 0), 0)
FROM "mrr_history" GROUP BY 1, 2;
