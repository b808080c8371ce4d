import type { AppContext } from '../../../app.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { MOVEMENTS } from './mrr-movement.ts';
import { FOLDED } from './plan-changes.ts';

const BATCH = 10_000;

/** A table of changes, and the table of days to which they are added. */
interface Fold {
  readonly changes: 'PlanDayChange' | 'MrrChange';
  readonly days: 'PlanDay' | 'MrrDay';
  readonly columns: readonly string[];
}

const FOLDS: readonly Fold[] = [
  { changes: 'PlanDayChange', days: 'PlanDay', columns: FOLDED },
  { changes: 'MrrChange', days: 'MrrDay', columns: MOVEMENTS },
];

/**
 * Adds the recorded changes to the rows of their days, until none is left. Concurrent calls are
 * safe: a reader sees each change once, before or after. A plan whose numbers overflow is skipped
 * and logged.
 */
export async function foldChanges({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  for (const table of FOLDS) {
    try {
      await fold(db, table, Prisma.sql`true`);
    } catch (err) {
      log.warn({ err }, 'metrics not folded together: folding plan by plan');
      const plans = await db.$queryRaw<{ planId: string }[]>`
        SELECT DISTINCT "planId" FROM ${Prisma.raw(`"${table.changes}"`)}`;
      for (const { planId } of plans) {
        await fold(db, table, Prisma.sql`"planId" = ${planId}::uuid`).catch((err) => {
          log.error({ err, planId }, 'metrics of a plan not folded');
        });
      }
    }
  }
}

async function fold(db: AppContext['db'], table: Fold, condition: Prisma.Sql): Promise<void> {
  const [changes, days] = [Prisma.raw(`"${table.changes}"`), Prisma.raw(`"${table.days}"`)];
  const list = (textOf: (name: string) => string) => Prisma.raw(table.columns.map(textOf).join(', '));
  const names = list((name) => `"${name}"`);
  const sums = list((name) => `sum("${name}")`);
  const added = list((name) => `"${name}" = d."${name}" + EXCLUDED."${name}"`);
  await inBatches(BATCH, async (size) => {
    const [row] = await db.$queryRaw<{ taken: number }[]>`
      WITH "taken" AS (
        DELETE FROM ${changes} WHERE "id" = ANY(ARRAY(
          SELECT "id" FROM ${changes} WHERE ${condition} ORDER BY "id" LIMIT ${size} FOR UPDATE SKIP LOCKED))
        RETURNING *
      ), "folded" AS (
        INSERT INTO ${days} AS d ("planId", "day", ${names})
        -- In a fixed order, so that concurrent calls do not deadlock.
        SELECT "planId", "day", ${sums} FROM "taken" GROUP BY "planId", "day" ORDER BY "planId", "day"
        ON CONFLICT ("planId", "day") DO UPDATE SET ${added}
      )
      SELECT count(*)::int AS "taken" FROM "taken"`;
    return row?.taken ?? 0;
  });
}
