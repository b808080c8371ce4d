import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { isUnpaidRow } from './is-unpaid-row.ts';

/** The next payment of a customer. */
export interface NextCharge {
  readonly at: Date;
  readonly mint: string;
  readonly amount: bigint;
}

/**
 * The earliest payment that each of the customers makes next, of all their subscriptions, if nobody
 * cancels. Payments that are waived are passed over. Customers who will not be charged, or whose payment waits
 * for a top-up, are left out.
 */
export async function nextCharges(
  db: Pick<DbTransaction, '$queryRaw'>,
  customerIds: readonly string[],
): Promise<Map<string, NextCharge>> {
  const rows = await db.$queryRaw<
    { customerId: string; at: Date; mint: string; amount: string }[]
  >(Prisma.sql`
    SELECT DISTINCT ON (s."customerId") s."customerId", charged."at", plan."mint",
      s."nextAmount"::text AS "amount"
    FROM "Subscription" s JOIN "Plan" plan ON plan."id" = s."planId"
      -- As chargedAt: null if nothing is charged until the subscription is resumed.
      CROSS JOIN LATERAL (SELECT CASE
        WHEN s."nextPaymentAt" >= s."waivedFrom" AND (s."waivedUntil" IS NULL OR s."nextPaymentAt" < s."waivedUntil")
          THEN s."waivedUntil" ELSE s."nextPaymentAt" END AS "at") charged
    WHERE s."customerId" = ANY(${[...customerIds]}::uuid[])
      AND s."status" = ANY(${COLLECTING}::"SubscriptionStatus"[]) AND NOT s."cancelAtPeriodEnd"
      AND NOT ${isUnpaidRow}
      AND charged."at" IS NOT NULL AND (plan."endsAt" IS NULL OR charged."at" < plan."endsAt")
    ORDER BY s."customerId", charged."at", s."id"`);
  return new Map(
    rows.map(({ customerId, at, mint, amount }) => [customerId, { at, mint, amount: BigInt(amount) }]),
  );
}
