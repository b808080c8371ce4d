import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/** An amount of one token, in base units. */
export interface PaidAmount {
  readonly mint: string;
  readonly amount: bigint;
}

/** The amounts that each of the customers has paid so far, by token. */
export async function customerTotals(
  db: Pick<DbTransaction, '$queryRaw'>,
  customerIds: readonly string[],
): Promise<Map<string, PaidAmount[]>> {
  const rows = await db.$queryRaw<{ customerId: string; mint: string; amount: string }[]>(Prisma.sql`
    SELECT s."customerId", plan."mint", sum(p."paidAmount")::text AS "amount"
    FROM "Subscription" s JOIN "Payment" p ON p."subscriptionId" = s."id" AND p."status" = 'SUCCEEDED'
      JOIN "Plan" plan ON plan."id" = s."planId"
    WHERE s."customerId" = ANY(${customerIds}::uuid[]) GROUP BY 1, 2 ORDER BY 1, 2`);
  const totals = new Map<string, PaidAmount[]>();
  for (const { customerId, mint, amount } of rows) {
    totals.set(customerId, [...(totals.get(customerId) ?? []), { mint, amount: BigInt(amount) }]);
  }
  return totals;
}
