import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/** The changes of a plan's numbers in a time range: docs/metrics.md. */
export interface PlanChanges {
  /** Net change of the number of subscriptions in each status. */
  readonly active: number;
  readonly pastDue: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly started: number;
  /** Cancelled subscriptions that became active again, and expired ones. */
  readonly resumed: number;
  readonly returned: number;
  readonly recovered: number;
  readonly failed: number;
  /** The failures by reason. Days before reasons were recorded only have the total. */
  readonly insufficientFunds: number;
  readonly approvalRevoked: number;
  readonly accountFrozen: number;
  readonly accountClosed: number;
  /** Number of payments, and their total in base units. */
  readonly paid: number;
  readonly collected: bigint;
  /** Number of refunds, and their total in base units. */
  readonly refunds: number;
  readonly refunded: bigint;
}

export const NO_CHANGES: PlanChanges = {
  active: 0,
  pastDue: 0,
  cancelled: 0,
  expired: 0,
  started: 0,
  resumed: 0,
  returned: 0,
  recovered: 0,
  failed: 0,
  insufficientFunds: 0,
  approvalRevoked: 0,
  accountFrozen: 0,
  accountClosed: 0,
  paid: 0,
  collected: 0n,
  refunds: 0,
  refunded: 0n,
};

/** The columns of "PlanDay" that are never folded, because a trigger adds to them directly. */
const DIRECT: readonly string[] = ['refunds', 'refunded'];
/** The columns that "PlanDayChange" and "PlanDay" share. */
export const FOLDED = Object.keys(NO_CHANGES).filter((name) => !DIRECT.includes(name));

/** Totals in base units may exceed a number, so they are read as text. */
const AMOUNTS = ['collected', 'refunded'] as const;
type Amount = (typeof AMOUNTS)[number];
const isAmount = (name: string) => (AMOUNTS as readonly string[]).includes(name);

const folded = Prisma.raw(FOLDED.map((name) => `"${name}"`).join(', '));
const direct = Prisma.raw(DIRECT.map((name) => `"${name}"`).join(', '));
const SUMS = Prisma.raw(
  Object.keys(NO_CHANGES)
    .map((name) => `sum("${name}")::${isAmount(name) ? 'text' : 'int'} AS "${name}"`)
    .join(', '),
);

// Folded and unfolded changes together. In one statement each change is seen exactly once.
const changesWhere = (condition: Prisma.Sql) => Prisma.sql`(
  SELECT "planId", "day", ${folded}, ${direct} FROM "PlanDay" WHERE "planId" ${condition}
  UNION ALL
  SELECT "planId", "day", ${folded}, 0, 0 FROM "PlanDayChange" WHERE "planId" ${condition}) AS "changes"`;
const changesOf = (planIds: readonly string[]) => changesWhere(Prisma.sql`= ANY(${planIds}::uuid[])`);

/** The numbers of plans that may use different tokens. */
export type PlanCounts = Omit<PlanChanges, Amount>;

type Row<T> = T & PlanCounts & Readonly<Record<Amount, string>>;

/**
 * The totals of each plan, by our id of the plan. The cost depends on the days of these plans, not
 * on their subscriptions.
 */
export async function planTotals(
  db: Pick<DbTransaction, '$queryRaw'>,
  planIds: readonly string[],
): Promise<Map<string, PlanChanges>> {
  const rows = await db.$queryRaw<Row<{ planId: string }>[]>(
    Prisma.sql`SELECT "planId", ${SUMS} FROM ${changesOf(planIds)} GROUP BY "planId"`,
  );
  return new Map(rows.map(({ planId, ...sums }) => [planId, toChanges(sums)]));
}

/**
 * The totals of all plans of a merchant. Without amounts, because the plans may use different
 * tokens.
 */
export async function merchantTotals(
  db: Pick<DbTransaction, '$queryRaw'>,
  { merchantId, environment }: Scope,
): Promise<PlanCounts> {
  const plans = Prisma.sql`IN (SELECT "id" FROM "Plan"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment")`;
  const [row] = await db.$queryRaw<Row<{ count: number }>[]>(
    Prisma.sql`SELECT ${SUMS}, count(*)::int AS "count" FROM ${changesWhere(plans)}`,
  );
  if (!row || row.count === 0) return NO_CHANGES;
  const { collected: _, refunded: __, count: ___, ...totals } = row;
  return totals;
}

/**
 * Changes by plan and day. All changes before `from` count for the day before it; changes after
 * `to` are left out.
 */
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

function toChanges({ collected, refunded, ...counts }: Row<unknown>): PlanChanges {
  return { ...counts, collected: BigInt(collected), refunded: BigInt(refunded) };
}
