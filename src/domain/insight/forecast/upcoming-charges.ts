import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { dayOf, daysBetween } from '../metrics/days.ts';
import { isUnpaidRow } from './is-unpaid-row.ts';

const MAX_DAYS = 31;
const DAY_MS = 24 * 3_600 * 1_000;

/** The payments due on a UTC day in one token. */
export interface UpcomingCharge {
  readonly day: string;
  readonly mint: string;
  readonly count: number;
  readonly amount: bigint;
}

/**
 * Returns the end of the day `until`, exclusive.
 *
 * @throws BillingError invalid_request, param `until`
 */
export function endOfForecast(until: string, now: Date): Date {
  const today = dayOf(now);
  const last = dayOf(new Date(Date.parse(`${today}T00:00:00Z`) + (MAX_DAYS - 1) * DAY_MS));
  try {
    daysBetween(today, until, last);
  } catch {
    throw invalidRequest('until', `until must be a day from ${today} to ${last} in UTC, such as ${today}.`);
  }
  return new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS);
}

/**
 * Returns the payments that are due by the end of a day, if no customer cancels. Overdue payments
 * count for today. Days and tokens without a payment are left out. So are payments of the running or next
 * time in which nothing is charged, and subscriptions whose payment waits for a top-up. The payments of a
 * subscription count with the amount of the next one, those after its discount with its price.
 *
 * The query first counts the subscriptions of each plan that are due in the same hour and have the
 * same pause and the same end of a discount. Intervals
 * are whole hours, so all payments of such a group are on the same days. The cost depends on the
 * number of subscriptions that are due in the range.
 */
export async function upcomingCharges(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  { now, end }: { readonly now: Date; readonly end: Date },
): Promise<UpcomingCharge[]> {
  const rows = await db.$queryRaw<(Omit<UpcomingCharge, 'amount'> & { amount: string })[]>(Prisma.sql`
    WITH "next" AS MATERIALIZED (
      SELECT "planId", date_trunc('hour', "nextPaymentAt", 'UTC') AS "at",
        date_trunc('hour', "waivedFrom", 'UTC') AS "waivedFrom", date_trunc('hour', "waivedUntil", 'UTC') AS "waivedUntil",
        discount."endsAt", count(*) AS "count", sum("nextAmount") AS "amount", sum(discount."price") AS "price"
      FROM "Subscription" s LEFT JOIN LATERAL (
        SELECT r."amount" AS "price", date_trunc('hour', s."nextPaymentAt" + interval '1 second' * p."intervalSeconds" * (
          s."discountUntil" - floor((extract(epoch FROM s."nextPaymentAt") - s."chainCreatedAt" - s."anchorOffsetSeconds")
            / p."intervalSeconds"))::int, 'UTC') AS "endsAt"
        FROM "Plan" p, "Price" r WHERE p."id" = s."planId" AND r."id" = s."priceId" OFFSET 0
      ) discount ON s."discountUntil" IS NOT NULL
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
        AND "status" = ANY(${COLLECTING}::"SubscriptionStatus"[]) AND "nextPaymentAt" < ${end}
        AND NOT "cancelAtPeriodEnd" AND NOT ${isUnpaidRow}
      GROUP BY 1, 2, 3, 4, 5
    )
    SELECT (greatest(due."at", ${now}::timestamptz) AT TIME ZONE 'UTC')::date::text AS "day", p."mint",
      sum("next"."count")::int AS "count", sum(CASE WHEN due."at" >= "next"."endsAt" THEN "next"."price" ELSE "next"."amount" END)::text AS "amount"
    FROM "next" JOIN "Plan" p ON p."id" = "next"."planId"
      CROSS JOIN LATERAL generate_series(
        -- The one period of an overdue subscription that can still be collected.
        "next"."at" + greatest(0, floor(extract(epoch FROM ${now}::timestamptz - "next"."at") / p."intervalSeconds"))
          * p."intervalSeconds" * interval '1 second',
        ${end}::timestamptz - interval '1 second', p."intervalSeconds" * interval '1 second') AS due("at")
    WHERE (p."endsAt" IS NULL OR due."at" < p."endsAt")
      -- A due date may be moved by less than an hour to the end of the chain's period.
      AND ("next"."waivedFrom" IS NULL OR due."at" + p."intervalSeconds" * interval '0.5 second' < "next"."waivedFrom"
        OR due."at" + p."intervalSeconds" * interval '0.5 second' >= "next"."waivedUntil")
    GROUP BY 1, 2 ORDER BY 1, 2`);
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }));
}
