import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../../billing/book/status.ts';

/** The next payment of a customer. */
export interface NextCharge {
  readonly at: Date;
  readonly mint: string;
  readonly amount: bigint;
}

/**
 * The earliest payment that each of the customers makes next, of all their subscriptions, if nobody
 * cancels. Customers who will not be charged are left out.
 */
export async function nextCharges(
  db: Pick<DbTransaction, '$queryRaw'>,
  customerIds: readonly string[],
): Promise<Map<string, NextCharge>> {
  const rows = await db.$queryRaw<
    { customerId: string; at: Date; mint: string; amount: string }[]
  >(Prisma.sql`
    SELECT DISTINCT ON (s."customerId") s."customerId", s."nextPaymentAt" AS "at", plan."mint",
      s."nextAmount"::text AS "amount"
    FROM "Subscription" s JOIN "Plan" plan ON plan."id" = s."planId"
    WHERE s."customerId" = ANY(${[...customerIds]}::uuid[])
      AND s."status" = ANY(${COLLECTING}::"SubscriptionStatus"[]) AND NOT s."cancelAtPeriodEnd"
      AND (plan."endsAt" IS NULL OR s."nextPaymentAt" < plan."endsAt")
    ORDER BY s."customerId", s."nextPaymentAt", s."id"`);
  return new Map(
    rows.map(({ customerId, at, mint, amount }) => [customerId, { at, mint, amount: BigInt(amount) }]),
  );
}
