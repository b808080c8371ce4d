import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/** How the monthly recurring revenue changed, in base units of one token: docs/metrics.md. */
export interface MrrMovement {
  readonly new: bigint;
  readonly expansion: bigint;
  readonly contraction: bigint;
  readonly churn: bigint;
  readonly reactivation: bigint;
  /** From or to another plan of the same wallet; the sum over all plans is 0. */
  readonly moved: bigint;
}

export const NO_MOVEMENT: MrrMovement = {
  new: 0n,
  expansion: 0n,
  contraction: 0n,
  churn: 0n,
  reactivation: 0n,
  moved: 0n,
};

/** The columns that "MrrChange" and "MrrDay" share. */
export const MOVEMENTS = Object.keys(NO_MOVEMENT) as (keyof MrrMovement)[];

const sums = Prisma.raw(MOVEMENTS.map((name) => `sum("${name}")::text AS "${name}"`).join(', '));
const columns = Prisma.raw(MOVEMENTS.map((name) => `"${name}"`).join(', '));

/** The change of the revenue that a movement is. */
export function netOf({
  new: started,
  expansion,
  contraction,
  churn,
  reactivation,
  moved,
}: MrrMovement): bigint {
  return started + reactivation + expansion - contraction - churn + moved;
}

/** The sum of movements of one token. */
export function sumMovements(movements: readonly MrrMovement[]): MrrMovement {
  const sum = (name: keyof MrrMovement) => movements.reduce((total, movement) => total + movement[name], 0n);
  return {
    new: sum('new'),
    expansion: sum('expansion'),
    contraction: sum('contraction'),
    churn: sum('churn'),
    reactivation: sum('reactivation'),
    moved: sum('moved'),
  };
}

/**
 * Movements by plan and day, folded or not. All movements before `from` count for the day before it;
 * those after `to` are left out.
 */
export async function movementsByDay(
  db: Pick<DbTransaction, '$queryRaw'>,
  planIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Map<string, Map<string, MrrMovement>>> {
  const rows = await db.$queryRaw<
    ({ planId: string; on: string } & Record<keyof MrrMovement, string>)[]
  >(Prisma.sql`
    SELECT "planId", greatest("day", ${from}::date - 1)::text AS "on", ${sums}
    FROM (
      SELECT "planId", "day", ${columns} FROM "MrrDay" WHERE "planId" = ANY(${planIds}::uuid[])
      UNION ALL
      SELECT "planId", "day", ${columns} FROM "MrrChange" WHERE "planId" = ANY(${planIds}::uuid[])
    ) AS movements WHERE "day" <= ${to}::date GROUP BY 1, 2`);
  const byPlan = new Map<string, Map<string, MrrMovement>>();
  for (const { planId, on, ...texts } of rows) {
    const movement = Object.fromEntries(MOVEMENTS.map((name) => [name, BigInt(texts[name])]));
    const days = byPlan.get(planId) ?? new Map<string, MrrMovement>();
    byPlan.set(planId, days.set(on, movement as unknown as MrrMovement));
  }
  return byPlan;
}
