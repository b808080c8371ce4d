import type { DbTransaction } from '../../db.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** By how much a plan's numbers changed in some time: docs/metrics.md. */
export interface PlanChanges {
  /** Net change of the subscriptions in each status. */
  readonly active: number;
  readonly pastDue: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly started: number;
  readonly resumed: number;
  readonly recovered: number;
  readonly failed: number;
  /** Payments, and what they brought in base units. */
  readonly paid: number;
  readonly collected: bigint;
}

export const NO_CHANGES: PlanChanges = {
  active: 0,
  pastDue: 0,
  cancelled: 0,
  expired: 0,
  started: 0,
  resumed: 0,
  recovered: 0,
  failed: 0,
  paid: 0,
  collected: 0n,
};

const SUMS = Prisma.sql`
  sum("active")::int AS "active", sum("pastDue")::int AS "pastDue", sum("cancelled")::int AS "cancelled",
  sum("expired")::int AS "expired", sum("started")::int AS "started", sum("resumed")::int AS "resumed",
  sum("recovered")::int AS "recovered", sum("failed")::int AS "failed", sum("paid")::int AS "paid",
  sum("collected")::text AS "collected"`;

// Folded and not folded yet, of one moment: one statement sees either the rows or what they were folded into.
const changesOf = (planIds: readonly string[]) => Prisma.sql`(
  SELECT "planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "recovered", "failed",
    "paid", "collected"
  FROM "PlanDay" WHERE "planId" = ANY(${planIds}::uuid[])
  UNION ALL
  SELECT "planId", "day", "active", "pastDue", "cancelled", "expired", "started", "resumed", "recovered", "failed",
    "paid", "collected"
  FROM "PlanDayChange" WHERE "planId" = ANY(${planIds}::uuid[])) AS "changes"`;

type Row<T> = T & Omit<PlanChanges, 'collected'> & { readonly collected: string };

/** Everything since each plan was made, by our id of the plan. Costs the days of these plans, not their subscriptions. */
export async function planTotals(
  db: Pick<DbTransaction, '$queryRaw'>,
  planIds: readonly string[],
): Promise<Map<string, PlanChanges>> {
  const rows = await db.$queryRaw<Row<{ planId: string }>[]>(
    Prisma.sql`SELECT "planId", ${SUMS} FROM ${changesOf(planIds)} GROUP BY "planId"`,
  );
  return new Map(rows.map(({ planId, ...sums }) => [planId, toChanges(sums)]));
}

/** By plan and day; all that was before `from` under the day before it, nothing from `to` on. */
export async function planChangesByDay(
  db: Pick<DbTransaction, '$queryRaw'>,
  planIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ planId: string; day: string; changes: PlanChanges }[]> {
  const rows = await db.$queryRaw<Row<{ planId: string; on: string }>[]>(Prisma.sql`
    SELECT "planId", greatest("day", ${from}::date - 1)::text AS "on", ${SUMS}
    FROM ${changesOf(planIds)} WHERE "day" <= ${to}::date GROUP BY 1, 2`);
  return rows.map(({ planId, on, ...sums }) => ({ planId, day: on, changes: toChanges(sums) }));
}

function toChanges({ collected, ...counts }: Row<unknown>): PlanChanges {
  return { ...counts, collected: BigInt(collected) };
}
