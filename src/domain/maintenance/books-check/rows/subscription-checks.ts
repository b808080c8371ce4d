import { Prisma } from '../../../../generated/prisma/client.ts';
import { LANDING_SECONDS } from '../../../billing/schedule/period.ts';
import { dueSinceStart } from './due-since-start.ts';
import { type RowCheck, within } from './row-check.ts';

/** Maximum payments that are recorded as missed for one gap: schedule/period.ts. */
const MAX_MISSED = 100;
const PERIOD = Prisma.sql`l."periodSeconds"`;
const COLLECTING = Prisma.sql`s."status" IN ('ACTIVE', 'PAST_DUE')`;

/** Subscriptions, their status, numbers and dates. */
export const SUBSCRIPTION_CHECKS: readonly RowCheck[] = [
  {
    name: 'subscription.owner',
    problem: 'The subscription belongs to another merchant or environment than its plan or customer.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id", s."address" AS "detail"
      FROM "Subscription" s JOIN "Plan" l ON l."id" = s."planId" JOIN "Customer" c ON c."id" = s."customerId"
      WHERE (${within('s', scope)} OR ${within('l', scope)}) AND (
        (s."merchantId", s."environment") IS DISTINCT FROM (l."merchantId", l."environment")
        OR (s."merchantId", s."environment") IS DISTINCT FROM (c."merchantId", c."environment"))`,
  },
  {
    name: 'subscription.status',
    problem: 'The status is not that of the last transition.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id", concat(s."status", ' instead of ', t."to") AS "detail"
      FROM "Subscription" s LEFT JOIN LATERAL (
        SELECT "to" FROM "SubscriptionTransition" WHERE "subscriptionId" = s."id"
        ORDER BY "at" DESC, "id" DESC LIMIT 1) AS t ON true
      WHERE ${within('s', scope)} AND s."status" IS DISTINCT FROM t."to"`,
  },
  {
    name: 'subscription.payment_count',
    problem: 'The number of payments, or a number of a payment, does not follow from the payments.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id",
        concat(s."paymentCount", ' counted, ', p."count", ' collected, highest number ', p."highest") AS "detail"
      FROM "Subscription" s CROSS JOIN LATERAL (
        SELECT count(*) AS "count", coalesce(max("number"), 0) AS "highest" FROM "Payment"
        WHERE "subscriptionId" = s."id" AND "status" = 'SUCCEEDED') AS p
      WHERE ${within('s', scope)} AND (s."paymentCount" <> p."count" OR p."highest" <> p."count")`,
  },
  {
    name: 'subscription.failures',
    problem: 'The number of failures does not fit the status or the failed attempts of the due payment.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id", concat(s."status", ', ', s."failureCount", ' counted, ', a."count", ' failed') AS "detail"
      FROM "Subscription" s CROSS JOIN LATERAL (
        SELECT count(*) AS "count" FROM "Payment" p JOIN "Attempt" a ON a."paymentId" = p."id" AND a."status" = 'FAILED'
        WHERE p."subscriptionId" = s."id" AND p."dueAt" = s."nextPaymentAt") AS a
      WHERE ${within('s', scope)} AND ((s."status" = 'ACTIVE' AND s."failureCount" <> 0)
        OR (s."status" = 'PAST_DUE' AND (s."failureCount" < 1 OR s."failureCount" > a."count")))`,
  },
  {
    name: 'subscription.next_payment',
    problem:
      'The next due date does not follow from the payments, or from the last start of the subscription.',
    // The next date is at most one interval after the latest payment, start or resumption.
    wrong: (scope) => Prisma.sql`
      SELECT "id"::text, concat('next ', "nextPaymentAt", ', last payment due ', "lastDue") AS "detail"
      FROM (
        SELECT s."id", s."nextPaymentAt", l."intervalSeconds" * interval '1 second' AS "length",
          l."intervalSeconds"::bigint AS "interval", l."periodSeconds"::bigint AS "period", p."dueAt" AS "lastDue",
          p."status" AS "lastStatus", s."anchorOffsetSeconds"::bigint AS "offset",
          extract(epoch FROM s."nextPaymentAt")::bigint - s."chainCreatedAt" AS "sinceStart",
          greatest(p."dueAt", s."createdAt", to_timestamp(s."chainCreatedAt" - l."intervalSeconds"
              + ${dueSinceStart(Prisma.sql`s."anchorOffsetSeconds"`, PERIOD)}),
            (SELECT max("at") FROM "SubscriptionTransition" WHERE "subscriptionId" = s."id" AND "to" = 'ACTIVE')) AS "latest"
        FROM "Subscription" s JOIN "Plan" l ON l."id" = s."planId" LEFT JOIN LATERAL (
          SELECT "dueAt", "status" FROM "Payment" WHERE "subscriptionId" = s."id" AND "undecidedSince" IS NULL
          ORDER BY "periodStart" DESC, "ordinal" LIMIT 1) AS p ON true
        WHERE ${within('s', scope)} AND ${COLLECTING}
      ) AS dated
      WHERE "sinceStart" < "offset"
        OR "sinceStart" <> ${dueSinceStart(Prisma.sql`("sinceStart" - ("sinceStart" - "offset") % "interval")`, Prisma.sql`"period"`)}
        -- Intervals longer than the chain's period may differ by the time until the next period.
        OR "nextPaymentAt" > "latest" + "length" + CASE WHEN "interval" > "period" THEN interval '1 hour' ELSE interval '0' END
        OR ("lastStatus" = 'DUE' AND "nextPaymentAt" <> "lastDue")
        OR ("lastStatus" <> 'DUE' AND "nextPaymentAt" <= "lastDue" AND "lastDue" >= "latest")`,
  },
  {
    name: 'subscription.next_attempt',
    problem:
      'The next attempt is later than the period of the due payment, or than the plan lets that of the next payment be.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id", concat('next attempt ', s."nextAttemptAt", ', due ', s."nextPaymentAt") AS "detail"
      FROM "Subscription" s JOIN "Plan" l ON l."id" = s."planId"
      WHERE ${within('s', scope)} AND ${COLLECTING} AND (s."nextAttemptAt" >
          greatest(s."nextPaymentAt", ${scope.now}::timestamptz) + l."intervalSeconds" * interval '1 second'
        OR (s."nextPaymentAt" > ${scope.now}::timestamptz AND s."nextAttemptAt" >
          s."nextPaymentAt" + l."maxCollectWithinSeconds" * interval '1 second'))`,
  },
  {
    name: 'subscription.periods',
    problem: 'A period of the time in which the subscription was collected has no payment.',
    // Between two payments, and before the first one. A subscription that ended was not collected
    // until it was resumed. Only the newest missed payments of a long gap are recorded.
    wrong: (scope) => Prisma.sql`
      SELECT "subscriptionId"::text AS "id", concat('before the period ', "periodStart") AS "detail"
      FROM (
        SELECT p."subscriptionId", p."periodStart", CASE WHEN l."intervalSeconds" > l."periodSeconds"
            THEN l."intervalSeconds" + l."periodSeconds" ELSE l."periodSeconds" END::bigint AS "interval",
          coalesce(lag(p."periodStart") OVER w,
            s."chainCreatedAt" + l."periodSeconds"::bigint * (greatest(
              ${dueSinceStart(Prisma.sql`s."anchorOffsetSeconds"`, PERIOD)},
              extract(epoch FROM s."createdAt")::bigint + ${LANDING_SECONDS} - s."chainCreatedAt"
            ) / l."periodSeconds" - 1)) AS "before"
        FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId" JOIN "Plan" l ON l."id" = s."planId"
        WHERE ${within('p', scope)}
        WINDOW w AS (PARTITION BY p."subscriptionId" ORDER BY p."periodStart")
      ) AS followed
      WHERE "periodStart" - "before" > "interval" AND "periodStart" - "before" <= "interval" * ${MAX_MISSED}
        AND NOT EXISTS (SELECT FROM "SubscriptionTransition" t
          WHERE t."subscriptionId" = followed."subscriptionId" AND t."to" IN ('CANCELLED', 'EXPIRED')
            AND extract(epoch FROM t."at") BETWEEN "before" AND "periodStart" + "interval")`,
  },
  {
    name: 'payment_link.completed',
    problem: 'The number of completed checkouts of the link differs from its checkouts.',
    wrong: (scope) => Prisma.sql`
      SELECT k."id"::text AS "id", concat(k."completedCount", ' counted, ', c."count", ' completed') AS "detail"
      FROM "PaymentLink" k LEFT JOIN (
        SELECT "paymentLinkId", count(*) AS "count" FROM "CheckoutSession"
        WHERE "paymentLinkId" IS NOT NULL AND "status" = 'COMPLETED' GROUP BY 1) AS c ON c."paymentLinkId" = k."id"
      WHERE ${within('k', scope)}
        AND (k."completedCount" <> coalesce(c."count", 0) OR k."openedCount" < k."completedCount")`,
  },
  {
    name: 'sponsored.outcome',
    problem: 'The sponsored transaction has ended without a signature, a time or the lamports that it cost.',
    wrong: (scope) => Prisma.sql`
      SELECT x."id"::text AS "id", concat(x."status", ', ', x."lamports", ' lamports') AS "detail"
      FROM "SponsoredTransaction" x
      WHERE ${within('x', scope)} AND CASE x."status"
        WHEN 'RESERVED' THEN x."settledAt" IS NOT NULL OR x."lamports" <= 0
        WHEN 'EXPIRED' THEN x."lamports" <> 0
        ELSE x."signature" IS NULL OR x."settledAt" IS NULL OR x."lamports" <= 0 END`,
  },
];
