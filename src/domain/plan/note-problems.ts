import type { AppContext } from '../../app.ts';
import { asRows } from '../../db-rows.ts';
import type { Environment, PlanProblem } from '../../generated/prisma/client.ts';

/** What stands in the way of a plan's payments; null where nothing does. */
export interface FoundProblem {
  /** Of the plan's account on chain. */
  readonly address: string;
  readonly problem: PlanProblem | null;
}

/** Keeps for the merchant what was found of its plans when their payments were due; writes only what has changed. */
export async function noteProblems(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  found: readonly FoundProblem[],
): Promise<void> {
  if (found.length === 0) return;
  await db.$executeRaw`
    WITH changed AS (
      SELECT p."id", n."problem"
      FROM "Plan" p JOIN jsonb_to_recordset(${asRows(found)}::jsonb) AS n("address" text, "problem" "PlanProblem")
        ON p."address" = n."address"
      WHERE p."environment" = ${environment}::"Environment" AND p."problem" IS DISTINCT FROM n."problem"
      -- In one order, so that two of us do not wait for each other.
      ORDER BY p."id" FOR UPDATE OF p
    )
    UPDATE "Plan" SET "problem" = changed."problem" FROM changed WHERE "Plan"."id" = changed."id"`;
}
