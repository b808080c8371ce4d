import { MAX_NUMBER } from '../../../../chain/accounts/fields.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { MIN_SECONDS_TO_LAND } from '../../../billing/schedule/period.ts';
import { dueSinceStart } from './due-since-start.ts';
import { type RowCheck, within } from './row-check.ts';

/** About an hour of slots. A transfer that was just seen waits for its payment for a moment. */
const WAITING_SLOTS = 9_000;

/** Payments, their attempts, and the transfers of the ledger that pay them. */
export const PAYMENT_CHECKS: readonly RowCheck[] = [
  {
    name: 'payment.owner',
    problem: 'The payment belongs to another merchant, environment or plan than its subscription.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat_ws(', ', p."merchantId", p."environment", p."planId") AS "detail"
      FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId"
      WHERE (${within('p', scope)} OR ${within('s', scope)})
        AND (p."merchantId", p."environment", p."planId") IS DISTINCT FROM (s."merchantId", s."environment", s."planId")`,
  },
  {
    name: 'payment.due_date',
    problem: 'The due date does not follow from the start of the subscription and its interval.',
    // The same dates as `paymentOfPeriod`: schedule/period.ts.
    wrong: (scope) => Prisma.sql`
      SELECT "id"::text, concat('period ', "periodStart", ', due ', "dueAt") AS "detail"
      FROM (
        SELECT p."id", p."periodStart", p."dueAt", p."ordinal", p."periodStart" - s."chainCreatedAt" AS "startSinceStart",
          s."chainCreatedAt" AS "start", l."periodSeconds"::bigint AS "period",
          ${dueSinceStart(Prisma.sql`last."sinceStart"`, Prisma.sql`l."periodSeconds"::bigint`)} AS "dueSinceStart"
        FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId" JOIN "Plan" l ON l."id" = s."planId"
          CROSS JOIN LATERAL (SELECT p."periodStart" + l."periodSeconds" - ${MIN_SECONDS_TO_LAND}
            - s."chainCreatedAt" - s."anchorOffsetSeconds" AS "sinceAnchor") AS until
          CROSS JOIN LATERAL (SELECT CASE WHEN "sinceAnchor" >= 0 THEN s."anchorOffsetSeconds"
            + "sinceAnchor" / l."intervalSeconds" * l."intervalSeconds" END::bigint AS "sinceStart") AS last
        WHERE ${within('p', scope)}
      ) AS dated
      WHERE "startSinceStart" % "period" <> 0 OR extract(epoch FROM "dueAt")::bigint <> CASE
        WHEN "ordinal" > 0 THEN greatest("periodStart", least(extract(epoch FROM "dueAt")::bigint, "periodStart" + "period"))
        WHEN "dueSinceStart" - "dueSinceStart" % "period" = "startSinceStart" THEN "start" + "dueSinceStart"
        ELSE "periodStart" END`,
  },
  {
    name: 'payment.transfer',
    problem: 'The ledger has no transfer with the signature of this collected payment.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat('signature ', p."signature") AS "detail" FROM "Payment" p
      WHERE ${within('p', scope)} AND p."status" = 'SUCCEEDED' AND NOT EXISTS (
        SELECT FROM "ChainTransfer" t WHERE t."paymentId" = p."id" AND t."signature" = p."signature")`,
  },
  {
    name: 'payment.amount',
    problem:
      'The paid amount differs from the sum of its transfers, or the payment is not collected and has some.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat(p."paidAmount", ' booked, ', t."sum", ' transferred') AS "detail"
      FROM "Payment" p JOIN (
        SELECT "paymentId", least(sum("amount"), ${MAX_NUMBER}) AS "sum" FROM "ChainTransfer"
        WHERE "environment" = ${scope.environment}::"Environment" AND "paymentId" IS NOT NULL GROUP BY 1
      ) AS t ON t."paymentId" = p."id"
      WHERE ${within('p', scope)} AND (t."sum" <> p."paidAmount" OR p."status" <> 'SUCCEEDED')`,
  },
  {
    name: 'payment.price',
    problem: 'The price of a payment that is not collected is no price of its plan.',
    // A payment without lines is of an earlier release.
    wrong: (scope) => Prisma.sql`
      SELECT "id"::text AS "id", concat("price", ' is no price of the plan') AS "detail"
      FROM (
        SELECT p."id", p."planId", CASE WHEN p."lines" IS NULL THEN p."amount" ELSE (
          SELECT sum((line->>'amount')::bigint) FROM jsonb_array_elements(p."lines") AS line WHERE line->>'kind' = 'FLAT') END AS "price"
        FROM "Payment" p
        WHERE ${within('p', scope)} AND p."status" <> 'SUCCEEDED' AND p."kind" = 'PERIOD'
      ) AS priced
      WHERE NOT EXISTS (SELECT FROM "Price" r WHERE r."planId" = priced."planId" AND r."amount" = "price")`,
  },
  {
    name: 'payment.lines',
    problem: 'The lines of the payment do not add up to its amount.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat(p."amount", ' instead of ', "lines_sum"(p."lines")) AS "detail"
      FROM "Payment" p WHERE ${within('p', scope)} AND "lines_sum"(p."lines") <> p."amount"`,
  },
  {
    name: 'transfer.period',
    problem: 'The transfer is of another subscription, plan or period than the payment that it settled.',
    wrong: (scope) => Prisma.sql`
      SELECT concat(t."signature", ' ', t."index") AS "id", concat('payment ', p."id") AS "detail"
      FROM "ChainTransfer" t JOIN "Payment" p ON p."id" = t."paymentId"
        JOIN "Subscription" s ON s."id" = p."subscriptionId" JOIN "Plan" l ON l."id" = s."planId"
      WHERE ${within('p', scope)} AND (t."environment", t."subscriptionAddress", t."planAddress", t."periodStart")
        IS DISTINCT FROM (s."environment", s."address", l."address", p."periodStart")`,
  },
  {
    name: 'transfer.unbooked',
    problem: 'The transfer of a known subscription belongs to no payment.',
    wrong: (scope) => Prisma.sql`
      SELECT concat(t."signature", ' ', t."index") AS "id", concat('subscription ', t."subscriptionAddress") AS "detail"
      FROM "ChainTransfer" t
      WHERE t."environment" = ${scope.environment}::"Environment" AND t."paymentId" IS NULL
        AND t."slot" < (SELECT "slot" - ${WAITING_SLOTS} FROM "StreamPosition"
          WHERE "environment" = ${scope.environment}::"Environment")
        AND EXISTS (SELECT FROM "Subscription" s WHERE ${within('s', scope)}
          AND s."address" = t."subscriptionAddress" AND s."chainCreatedAt" <= t."periodStart")`,
  },
  {
    name: 'attempt.outcome',
    problem: 'A successful attempt has a payment or a transaction that says otherwise.',
    wrong: (scope) => Prisma.sql`
      SELECT a."id"::text AS "id", concat('payment ', p."id", ' ', p."status", ', transaction ', x."status") AS "detail"
      FROM "Attempt" a JOIN "Payment" p ON p."id" = a."paymentId"
        LEFT JOIN "TransferTransaction" x ON x."id" = a."transactionId"
      WHERE ${within('p', scope)} AND a."status" = 'SUCCEEDED'
        AND ((p."status", x."status"::text) IS DISTINCT FROM ('SUCCEEDED', 'LANDED') OR NOT EXISTS (
          SELECT FROM "ChainTransfer" t WHERE t."paymentId" = p."id" AND t."signature" = x."signature"))`,
  },
  {
    name: 'payment.attempt',
    problem: 'The payment has no successful attempt, although dues sent the transaction that paid it.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat('transaction ', x."id") AS "detail"
      FROM "Payment" p JOIN "TransferTransaction" x ON x."signature" = p."signature" AND x."status" = 'LANDED'
      WHERE ${within('p', scope)} AND p."status" = 'SUCCEEDED' AND NOT EXISTS (
        SELECT FROM "Attempt" a WHERE a."paymentId" = p."id" AND a."transactionId" = x."id" AND a."status" = 'SUCCEEDED')`,
  },
  {
    name: 'payment.failure_code',
    problem: 'The failure code is not that of the last failed attempt.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat(p."failureCode", ' instead of ', a."failureCode") AS "detail"
      FROM "Payment" p LEFT JOIN LATERAL (
        SELECT "failureCode" FROM "Attempt" WHERE "paymentId" = p."id" AND "status" = 'FAILED'
        ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) AS a ON true
      WHERE ${within('p', scope)} AND p."failureCode" IS DISTINCT FROM a."failureCode"`,
  },
];
