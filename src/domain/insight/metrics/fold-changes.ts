import type { AppContext } from '../../../app.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { FOLDED } from './plan-changes.ts';

const BATCH = 10_000;

const names = Prisma.raw(FOLDED.map((name) => `"${name}"`).join(', '));
const sums = Prisma.raw(FOLDED.map((name) => `sum("${name}")`).join(', '));
const added = Prisma.raw(
  FOLDED.map((name) => `"${name}" = "PlanDay"."${name}" + EXCLUDED."${name}"`).join(', '),
);

/**
 * Adds the recorded changes to the rows of their days, until none is left. Concurrent calls are
 * safe: a reader sees each change once, before or after. A plan whose numbers overflow is skipped
 * and logged.
 */
export async function foldChanges({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  try {
    await fold(db, Prisma.sql`true`);
  } catch (err) {
    log.warn({ err }, 'metrics not folded together: folding plan by plan');
    for (const { planId } of await db.planDayChange.findMany({
      distinct: 'planId',
      select: { planId: true },
    })) {
      await fold(db, Prisma.sql`"planId" = ${planId}::uuid`).catch((err) => {
        log.error({ err, planId }, 'metrics of a plan not folded');
      });
    }
  }
}

async function fold(db: AppContext['db'], condition: Prisma.Sql): Promise<void> {
  await inBatches(BATCH, async (size) => {
    const [row] = await db.$queryRaw<{ taken: number }[]>`
      WITH "taken" AS (
        DELETE FROM "PlanDayChange" WHERE "id" = ANY(ARRAY(
          SELECT "id" FROM "PlanDayChange" WHERE ${condition} ORDER BY "id" LIMIT ${size} FOR UPDATE SKIP LOCKED))
        RETURNING *
      ), "folded" AS (
        INSERT INTO "PlanDay" ("planId", "day", ${names})
        -- In a fixed order, so that concurrent calls do not deadlock.
        SELECT "planId", "day", ${sums} FROM "taken" GROUP BY "planId", "day" ORDER BY "planId", "day"
        ON CONFLICT ("planId", "day") DO UPDATE SET ${added}
      )
      SELECT count(*)::int AS "taken" FROM "taken"`;
    return row?.taken ?? 0;
  });
}
