import type { AppContext } from '../../../app.ts';
import type { ScheduledFee } from '../../../chain/accounts/token-extensions.ts';
import type { Environment, PlanProblem } from '../../../generated/prisma/client.ts';
import { inTransaction, type TransactionContext } from '../../../jobs/in-transaction.ts';
import type { TemplateName } from './templates.ts';
import { type NewMail, writeMails } from './write-mails.ts';

type MailContext = TransactionContext & Pick<AppContext, 'config'>;

/** A plan whose problem has changed. */
export interface ChangedPlan {
  readonly id: string;
  readonly merchantId: string;
  /** Null if the plan has no problem any more. */
  readonly problem: PlanProblem | null;
}

/** A plan whose token gets a transfer fee. */
export interface PlanWithFee {
  /** Address of the plan's account on chain. */
  readonly address: string;
  readonly fee: ScheduledFee;
  /** The epoch of the cluster when the fee was seen. */
  readonly epoch: bigint;
}

/** Writes the mails to merchants about new problems of plans: one per problem and UTC day. */
export async function writeProblemMails(
  ctx: MailContext,
  environment: Environment,
  plans: readonly ChangedPlan[],
): Promise<void> {
  const day = ctx.clock.now().toISOString().slice(0, 10);
  const mails = plans.flatMap(({ id: planRowId, merchantId, problem }) =>
    problem === null
      ? []
      : [{ merchantId, cause: `${planRowId} ${problem} ${day}`, content: { planRowId, problem } }],
  );
  await writeToMerchants(ctx, environment, 'PLAN_PROBLEM', mails);
}

/**
 * Writes the mails to merchants about transfer fees that begin in a later epoch: one per plan and
 * fee.
 */
export async function writeFeeMails(
  ctx: MailContext,
  environment: Environment,
  plans: readonly PlanWithFee[],
): Promise<void> {
  if (!ctx.config.mail || plans.length === 0) return;
  const rows = await ctx.db.plan.findMany({
    where: { environment, address: { in: plans.map(({ address }) => address) } },
    select: { id: true, merchantId: true, address: true },
  });
  const planAt = new Map(plans.map((plan) => [plan.address, plan]));
  const mails = rows.flatMap(({ id: planRowId, merchantId, address }) => {
    const plan = planAt.get(address);
    if (!plan) return [];
    const { basisPoints } = plan.fee;
    const [fromEpoch, epoch] = [String(plan.fee.epoch), String(plan.epoch)];
    const cause = `${planRowId} fee ${basisPoints} from epoch ${fromEpoch}`;
    return [{ merchantId, cause, content: { planRowId, basisPoints, fromEpoch, epoch } }];
  });
  await writeToMerchants(ctx, environment, 'FEE_SCHEDULED', mails);
}

/** Writes mails to the merchants who have switched the template on. */
async function writeToMerchants(
  ctx: MailContext,
  environment: Environment,
  template: TemplateName,
  mails: readonly (Pick<NewMail, 'cause' | 'content'> & { readonly merchantId: string })[],
): Promise<void> {
  if (!ctx.config.mail || mails.length === 0) return;
  const settings = await ctx.db.mailSettings.findMany({
    where: {
      environment,
      merchantId: { in: [...new Set(mails.map(({ merchantId }) => merchantId))] },
      templates: { has: template },
    },
  });
  const recipients = new Map(settings.map(({ merchantId, merchantEmail }) => [merchantId, merchantEmail]));
  const newMails = mails.flatMap(({ merchantId, cause, content }): NewMail[] => {
    const recipient = recipients.get(merchantId);
    return recipient ? [{ scope: { merchantId, environment }, template, recipient, cause, content }] : [];
  });
  if (newMails.length > 0) await inTransaction(ctx, (tx) => writeMails(ctx, tx, newMails));
}
