import type { AppContext } from '../../../app.ts';
import type { Environment, PlanProblem } from '../../../generated/prisma/client.ts';
import { inTransaction, type TransactionContext } from '../../../jobs/in-transaction.ts';
import { type NewMail, writeMails } from './write-mails.ts';

/** A plan whose problem has changed. */
export interface ChangedPlan {
  readonly id: string;
  readonly merchantId: string;
  /** Null if the plan has no problem any more. */
  readonly problem: PlanProblem | null;
}

/** Writes the mails to merchants about new problems of plans: one per problem and UTC day. */
export async function writeProblemMails(
  ctx: TransactionContext & Pick<AppContext, 'config'>,
  environment: Environment,
  plans: readonly ChangedPlan[],
): Promise<void> {
  const plansWithProblem = plans.flatMap(({ problem, ...plan }) =>
    problem === null ? [] : [{ ...plan, problem }],
  );
  if (!ctx.config.mail || plansWithProblem.length === 0) return;
  const settings = await ctx.db.mailSettings.findMany({
    where: {
      environment,
      merchantId: { in: [...new Set(plansWithProblem.map(({ merchantId }) => merchantId))] },
      templates: { has: 'PLAN_PROBLEM' },
    },
  });
  const recipients = new Map(settings.map(({ merchantId, merchantEmail }) => [merchantId, merchantEmail]));
  const day = ctx.clock.now().toISOString().slice(0, 10);
  const mails = plansWithProblem.flatMap(({ id: planRowId, merchantId, problem }): NewMail[] => {
    const recipient = recipients.get(merchantId);
    if (!recipient) return [];
    const scope = { merchantId, environment };
    const cause = `${planRowId} ${problem} ${day}`;
    return [{ scope, template: 'PLAN_PROBLEM', recipient, cause, content: { planRowId, problem } }];
  });
  if (mails.length > 0) await inTransaction(ctx, (tx) => writeMails(ctx, tx, mails));
}
