import { Prisma } from '../../../../generated/prisma/client.ts';
import { type RowCheck, within } from './row-check.ts';

/** The columns of a day's changes that are compared, in the order of the selects below. */
const COLUMNS = [
  ...['active', 'pastDue', 'cancelled', 'expired', 'started', 'resumed', 'returned', 'recovered'],
  ...['failed', 'paid', 'collected', 'refunds', 'refunded'],
];
const columns = Prisma.raw(COLUMNS.map((name) => `"${name}"`).join(', '));
const sums = Prisma.raw(COLUMNS.map((name) => `sum("${name}") AS "${name}"`).join(', '));
const dayOf = (column: string) => Prisma.raw(`(${column} AT TIME ZONE 'UTC')::date`);
const entered = (status: string) =>
  Prisma.raw(`(t."to" = '${status}')::int - (t."from" IS NOT DISTINCT FROM '${status}')::int`);

/** Sums that are kept beside the rows. */
export const TOTAL_CHECKS: readonly RowCheck[] = [
  {
    name: 'day.totals',
    problem: 'The numbers of the day differ from the changes, payments and refunds of that day.',
    wrong: (scope) => Prisma.sql`
      WITH plans AS MATERIALIZED (SELECT l."id" FROM "Plan" l WHERE ${within('l', scope)}),
      kept AS (
        SELECT "planId", "day", ${sums} FROM (
          SELECT "planId", "day", ${columns} FROM "PlanDay"
          UNION ALL
          SELECT "planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "returned", "recovered",
            "failed", "paid", "collected", 0, 0 FROM "PlanDayChange"
        ) AS days WHERE "planId" IN (SELECT "id" FROM plans) GROUP BY 1, 2
      ), counted AS (
        SELECT "planId", "day", ${sums} FROM (
          SELECT s."planId", ${dayOf('t."at"')} AS "day", ${entered('ACTIVE')} AS "active",
            ${entered('PAST_DUE')} AS "pastDue", ${entered('CANCELLED')} AS "cancelled", ${entered('EXPIRED')} AS "expired",
            (t."from" IS NULL)::int AS "started",
            (t."to" = 'ACTIVE' AND t."from" = 'CANCELLED')::int AS "resumed",
            (t."to" = 'ACTIVE' AND t."from" = 'EXPIRED')::int AS "returned",
            (t."to" = 'ACTIVE' AND t."from" = 'PAST_DUE' AND t."reason" <> 'payment_waived')::int AS "recovered",
            0 AS "failed", 0 AS "paid", 0::numeric AS "collected", 0 AS "refunds", 0::numeric AS "refunded"
          FROM "SubscriptionTransition" t JOIN "Subscription" s ON s."id" = t."subscriptionId"
          UNION ALL
          SELECT s."planId", ${dayOf('e."createdAt"')}, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0
          FROM "Event" e JOIN "Subscription" s ON s."id" = e."subscriptionId"
          WHERE e."type" = 'subscription.payment_failed'
          UNION ALL
          SELECT p."planId", ${dayOf('p."paidAt"')}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, p."paidAmount", 0, 0
          FROM "Payment" p WHERE p."status" = 'SUCCEEDED'
          UNION ALL
          SELECT p."planId", ${dayOf('r."refundedAt"')}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, r."amount"
          FROM "Refund" r JOIN "Payment" p ON p."id" = r."paymentId" WHERE r."status" = 'SUCCEEDED'
        ) AS days WHERE "planId" IN (SELECT "id" FROM plans) GROUP BY 1, 2
      ), differing AS (
        SELECT "planId", "day", c."name", coalesce(k."value", 0) AS "kept", coalesce(n."value", 0) AS "counted"
        FROM (SELECT "planId", "day", to_jsonb(kept) AS "row" FROM kept) AS a
          FULL JOIN (SELECT "planId", "day", to_jsonb(counted) AS "row" FROM counted) AS b USING ("planId", "day")
          CROSS JOIN unnest(${COLUMNS}::text[]) AS c("name")
          CROSS JOIN LATERAL (SELECT (a."row"->>c."name")::numeric AS "value") AS k
          CROSS JOIN LATERAL (SELECT (b."row"->>c."name")::numeric AS "value") AS n
        WHERE coalesce(k."value", 0) <> coalesce(n."value", 0)
      )
      SELECT concat("planId", ' ', "day") AS "id",
        string_agg(concat("name", ' ', "kept", ' instead of ', "counted"), ', ') AS "detail"
      FROM differing GROUP BY "planId", "day"`,
  },
  {
    name: 'mrr.plan',
    problem: 'The movements of the monthly recurring revenue do not add up to that of the subscriptions.',
    wrong: (scope) => Prisma.sql`
      SELECT l."id"::text AS "id", concat(k."sum", ' by movements, ', s."sum", ' by subscriptions') AS "detail"
      FROM "Plan" l CROSS JOIN LATERAL (
        SELECT coalesce(sum("new" + "reactivation" + "expansion" - "contraction" - "churn" + "moved"), 0) AS "sum" FROM (
          SELECT "new", "reactivation", "expansion", "contraction", "churn", "moved" FROM "MrrDay" WHERE "planId" = l."id"
          UNION ALL
          SELECT "new", "reactivation", "expansion", "contraction", "churn", "moved" FROM "MrrChange" WHERE "planId" = l."id"
        ) AS movements) AS k CROSS JOIN LATERAL (
        SELECT coalesce(sum("mrr"), 0) AS "sum" FROM "Subscription"
        WHERE "planId" = l."id" AND "status" IN ('ACTIVE', 'PAST_DUE')) AS s
      WHERE ${within('l', scope)} AND k."sum" <> s."sum"`,
  },
  {
    name: 'mrr.wallet',
    problem: 'The monthly recurring revenue of a wallet is not that of its subscriptions.',
    wrong: (scope) => Prisma.sql`
      SELECT concat("walletAddress", ' ', "mint") AS "id",
        concat(coalesce(k."amount", 0), ' kept, ', coalesce(s."sum", 0), ' by subscriptions') AS "detail"
      FROM (SELECT * FROM "CustomerMrr" c WHERE ${within('c', scope)}) AS k FULL JOIN (
        SELECT s."merchantId", s."walletAddress", l."mint", sum(s."mrr") AS "sum"
        FROM "Subscription" s JOIN "Plan" l ON l."id" = s."planId"
        WHERE ${within('s', scope)} AND s."status" IN ('ACTIVE', 'PAST_DUE') GROUP BY 1, 2, 3
      ) AS s USING ("merchantId", "walletAddress", "mint")
      WHERE coalesce(k."amount", 0) <> coalesce(s."sum", 0)`,
  },
  {
    name: 'subscription.total',
    problem: 'The number of subscriptions of the merchant differs from its subscriptions.',
    wrong: (scope) => Prisma.sql`
      SELECT "merchantId"::text AS "id", concat(coalesce(k."count", 0), ' counted, ', coalesce(s."count", 0), ' rows') AS "detail"
      FROM (
        SELECT "merchantId", sum("count") AS "count" FROM (
          SELECT c."merchantId", c."count" FROM "SubscriptionCount" c WHERE ${within('c', scope)}
          UNION ALL
          SELECT c."merchantId", c."count" FROM "SubscriptionCountChange" c WHERE ${within('c', scope)}) AS counts
        GROUP BY 1) AS k FULL JOIN (
        SELECT s."merchantId", count(*) AS "count" FROM "Subscription" s WHERE ${within('s', scope)} GROUP BY 1
      ) AS s USING ("merchantId")
      WHERE coalesce(k."count", 0) <> coalesce(s."count", 0)`,
  },
];
