import type { AppContext } from '../../../app.ts';
import { recordsOf } from '../../../db/bulk.ts';
import type { Environment, PlanProblem } from '../../../generated/prisma/client.ts';
import type { TransactionContext } from '../../../jobs/in-transaction.ts';
import { publishPlans } from '../../catalog/plan/publish-plans.ts';
import { type ChangedPlan, writeProblemMails } from '../../messages/mail/write-problem-mails.ts';

/** The problem that keeps a plan's payments from being collected, or null. */
export interface FoundProblem {
  /** Address of the plan's account on chain. */
  readonly address: string;
  readonly problem: PlanProblem | null;
}

/**
 * Stores the problems that plans had when their payments were due, for their merchants to see, and
 * writes the mails about new problems. Unchanged rows are not written.
 */
export async function recordProblems(
  ctx: TransactionContext & Pick<AppContext, 'config' | 'live'>,
  environment: Environment,
  found: readonly FoundProblem[],
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ address, problem }) => ({ address, currentProblem: problem }));
  const changed = await ctx.db.$queryRaw<ChangedPlan[]>`
    WITH changed AS (
      SELECT p."id", n."currentProblem"
      FROM "Plan" p JOIN ${recordsOf('Plan', rows)} AS n
        ON p."address" = n."address"
      WHERE p."environment" = ${environment}::"Environment" AND p."currentProblem" IS DISTINCT FROM n."currentProblem"
      -- Locked in one order, so that two workers cannot deadlock.
      ORDER BY p."id" FOR UPDATE OF p
    )
    UPDATE "Plan" SET "currentProblem" = changed."currentProblem" FROM changed
    WHERE "Plan"."id" = changed."id"
    RETURNING "Plan"."id", "Plan"."merchantId", "Plan"."currentProblem" AS "problem"`;
  await writeProblemMails(ctx, environment, changed);
  await publishPlans(
    ctx,
    changed.map((plan) => ({ ...plan, environment })),
  );
}
