import type { AppContext } from '../../app.ts';
import type { Scope } from '../access/scope.ts';

/** The refunds of a plan that became final with a transfer on one UTC day. */
export interface RefundsOfDay {
  readonly count: number;
  readonly amount: bigint;
}

export const NO_REFUNDS: RefundsOfDay = { count: 0, amount: 0n };

/** Refunds by plan (our id) and day. The cost depends on the refunds of these days. */
export async function refundsByPlan(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, ReadonlyMap<string, RefundsOfDay>>> {
  const rows = await db.$queryRaw<{ planId: string; on: string; count: number; amount: string }[]>`
    SELECT s."planId", (r."refundedAt" AT TIME ZONE 'UTC')::date::text AS "on", count(*)::int AS "count",
      sum(r."amount")::text AS "amount"
    FROM "Refund" r JOIN "Payment" p ON p."id" = r."paymentId" JOIN "Subscription" s ON s."id" = p."subscriptionId"
    WHERE r."merchantId" = ${merchantId}::uuid AND r."environment" = ${environment}::"Environment"
      AND r."status" = 'SUCCEEDED' AND r."refundedAt" >= ${from}::date::timestamp AT TIME ZONE 'UTC'
      AND r."refundedAt" < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY 1, 2`;
  const byPlan = new Map<string, Map<string, RefundsOfDay>>();
  for (const { planId, on, count, amount } of rows) {
    const days = byPlan.get(planId) ?? new Map<string, RefundsOfDay>();
    byPlan.set(planId, days.set(on, { count, amount: BigInt(amount) }));
  }
  return byPlan;
}
