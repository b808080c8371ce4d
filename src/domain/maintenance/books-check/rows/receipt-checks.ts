import { Prisma } from '../../../../generated/prisma/client.ts';
import { type RowCheck, within } from './row-check.ts';

/** Receipts and refunds. */
export const RECEIPT_CHECKS: readonly RowCheck[] = [
  {
    name: 'receipt.numbers',
    problem: 'The numbers of the receipts and the void ones are not 1 to the number of the newest one.',
    wrong: (scope) => Prisma.sql`
      SELECT "merchantId"::text AS "id",
        concat(coalesce(r."count", 0), ' receipts, highest ', r."highest", ', newest ', c."last") AS "detail"
      FROM (SELECT c.* FROM "ReceiptCounter" c WHERE ${within('c', scope)}) AS c FULL JOIN (
        SELECT n."merchantId", sum(n."last" - n."first" + 1) AS "count", max(n."last") AS "highest" FROM (
          SELECT r."merchantId", r."number" AS "first", r."number" AS "last" FROM "Receipt" r
          WHERE ${within('r', scope)}
          UNION ALL SELECT v."merchantId", v."first", v."last" FROM "VoidReceipts" v WHERE ${within('v', scope)}) AS n
        GROUP BY 1) AS r USING ("merchantId")
      WHERE coalesce(r."count", 0) <> coalesce(c."last", 0) OR coalesce(r."highest", 0) <> coalesce(c."last", 0)`,
  },
  {
    name: 'receipt.payment',
    problem: 'The receipt and its payment do not name each other.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat('payment ', p."receiptNumber", ', receipt ', r."number") AS "detail"
      FROM "Payment" p LEFT JOIN "Receipt" r ON r."paymentId" = p."id"
      WHERE ${within('p', scope)} AND nullif(p."receiptNumber", 0) IS DISTINCT FROM r."number"`,
  },
  {
    name: 'receipt.content',
    problem: 'The content of the receipt differs from the payment, its transfer or the row.',
    wrong: (scope) => Prisma.sql`
      SELECT r."paymentId"::text AS "id", concat('receipt ', r."number") AS "detail"
      FROM "Receipt" r JOIN "Payment" p ON p."id" = r."paymentId" LEFT JOIN "ChainTransfer" t
        ON t."environment" = r."environment" AND t."signature" = r."document"#>>'{chain,signature}'
          AND t."index"::text = r."document"#>>'{chain,eventIndex}'
      WHERE ${within('r', scope)} AND (
        (r."merchantId", r."environment") IS DISTINCT FROM (p."merchantId", p."environment")
        OR (r."document"->>'number', r."document"->>'environment', r."document"->>'paymentId',
          r."document"->>'paymentNumber', r."document"#>>'{chain,signature}', r."document"#>>'{chain,periodStart}',
          (r."document"->>'paidAt')::timestamptz, (r."document"->>'issuedAt')::timestamptz)
        IS DISTINCT FROM (r."number"::text, r."environment"::text, p."id"::text,
          p."number"::text, p."signature", p."periodStart"::text, p."paidAt", r."issuedAt")
        OR (r."document"#>>'{amount,baseUnits}', r."document"#>>'{chain,slot}') IS DISTINCT FROM (t."amount"::text, t."slot"::text))`,
  },
  {
    name: 'refund.amount',
    problem: 'More than the payment was refunded.',
    wrong: (scope) => Prisma.sql`
      SELECT p."id"::text AS "id", concat(sum(r."amount"), ' of ', p."paidAmount") AS "detail"
      FROM "Refund" r JOIN "Payment" p ON p."id" = r."paymentId"
      WHERE ${within('r', scope)} AND r."status" IN ('PENDING', 'SUCCEEDED')
      GROUP BY p."id" HAVING sum(r."amount") > p."paidAmount"`,
  },
  {
    name: 'refund.event',
    problem: 'The refund and its event differ, or one of them is missing.',
    wrong: (scope) => Prisma.sql`
      SELECT coalesce(r."id"::text, e."refundId") AS "id",
        concat(r."amount", ' ', r."signature", ' in the row, ', e."amount", ' ', e."signature", ' in ', e."count", ' events') AS "detail"
      FROM (SELECT r.* FROM "Refund" r WHERE ${within('r', scope)} AND r."status" = 'SUCCEEDED') AS r FULL JOIN (
        SELECT e."data"->>'refundId' AS "refundId", count(*) AS "count", max(e."data"->>'amount') AS "amount",
          max(e."data"->>'signature') AS "signature", max(e."data"->>'paymentId') AS "paymentId"
        FROM "Event" e WHERE ${within('e', scope)} AND e."type" = 'payment.refunded' GROUP BY 1
      ) AS e ON e."refundId" = r."id"::text
      WHERE (r."amount"::text, r."signature", r."paymentId"::text, 1) IS DISTINCT FROM
        (e."amount", e."signature", e."paymentId", e."count")`,
  },
];
