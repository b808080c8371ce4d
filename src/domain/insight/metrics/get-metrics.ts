import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { type Plan, Prisma } from '../../../generated/prisma/client.ts';
import { getPlan } from '../../catalog/plan/get-plan.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { type DayMetrics, planDays, sumDay } from './day-metrics.ts';
import { dayOf, daysBetween } from './days.ts';
import { movementsByDay, NO_MOVEMENT } from './mrr-movement.ts';
import { NO_CHANGES, type PlanChanges, planChangesByDay } from './plan-changes.ts';

export interface MetricsRange {
  /** First and last UTC day, `2026-12-01`; at most 366 days. */
  readonly from: string;
  readonly to: string;
  /** Only the plan with this id of the merchant. */
  readonly planId?: string | undefined;
}

export interface Metrics {
  /** All plans together. */
  readonly days: readonly DayMetrics[];
  /** Each plan with a subscription by the end of the range, oldest first. */
  readonly plans: readonly { readonly plan: Plan; readonly days: readonly DayMetrics[] }[];
}

/** Maximum of plans times days in one response. */
const MAX_ROWS = 20_000;

/**
 * A merchant's metrics by day and plan. The cost depends on the days that its plans have existed
 * and on the unfolded changes, not on the number of subscriptions, payments and refunds.
 *
 * @throws BillingError invalid_request, param `from` or `to`; not_found, param `planId`
 */
export async function getMetrics(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: Scope,
  { from, to, planId }: MetricsRange,
): Promise<Metrics> {
  const days = daysBetween(from, to, dayOf(ctx.clock.now()));
  const plans =
    planId === undefined
      ? await plansCounted(ctx, scope, to, Math.floor(MAX_ROWS / days.length))
      : [await getPlan(ctx, scope, planId)];
  const changes = await changesByPlan(ctx, plans, { from, to });
  const movements = await movementsByDay(
    ctx.db,
    plans.map(({ id }) => id),
    { from, to },
  );
  const counted = plans.filter(({ id }) => changes.has(id));
  const opening = dayOf(new Date(Date.parse(`${from}T00:00:00Z`) - 1));
  const byPlan = counted.map((plan) => {
    const planChanges = changes.get(plan.id) ?? new Map<string, PlanChanges>();
    const on = movements.get(plan.id) ?? new Map();
    const before = planChanges.get(opening) ?? NO_CHANGES;
    return {
      plan,
      days: planDays(plan, days, before, planChanges, { before: on.get(opening) ?? NO_MOVEMENT, on }),
    };
  });
  const together = days.map((day, index) =>
    sumDay(
      day,
      byPlan.flatMap((plan) => plan.days[index] ?? []),
    ),
  );
  return { days: together, plans: byPlan };
}

/**
 * The plans with a subscription by the day `to`, oldest first.
 *
 * @throws BillingError for more than `max`
 */
async function plansCounted(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  to: string,
  max: number,
): Promise<Plan[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "Plan" AS p WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
      AND (EXISTS (SELECT FROM "PlanDay" WHERE "planId" = p."id" AND "day" <= ${to}::date)
        OR EXISTS (SELECT FROM "PlanDayChange" WHERE "planId" = p."id" AND "day" <= ${to}::date))
    LIMIT ${max + 1}`);
  if (rows.length > max) {
    throw invalidRequest(
      'to',
      `More than ${max} plans are too many for this range: choose an earlier to, or give planId.`,
    );
  }
  return db.plan.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

async function changesByPlan(
  { db }: Pick<AppContext, 'db'>,
  plans: readonly Plan[],
  range: { readonly from: string; readonly to: string },
): Promise<Map<string, Map<string, PlanChanges>>> {
  const planIds = plans.map(({ id }) => id);
  const byPlan = new Map<string, Map<string, PlanChanges>>();
  for (const { planId, day, changes } of await planChangesByDay(db, planIds, range)) {
    byPlan.set(planId, (byPlan.get(planId) ?? new Map<string, PlanChanges>()).set(day, changes));
  }
  return byPlan;
}
