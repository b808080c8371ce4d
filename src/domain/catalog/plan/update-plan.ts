import type { AppContext } from '../../../app.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { getPlan } from './get-plan.ts';
import { type PlanTexts, validPlanTexts } from './plan-texts.ts';
import { publishPlans } from './publish-plans.ts';

/**
 * Changes the texts and the picture of a plan; omitted ones stay unchanged. The terms are on chain
 * and cannot change.
 *
 * @throws BillingError not_found, param `planId`; invalid_request, param `name`, `description` or
 *   `imageUrl`
 */
export async function updatePlan(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  scope: ActingScope,
  planId: string,
  texts: Partial<PlanTexts>,
): Promise<Plan> {
  const data = validPlanTexts(texts);
  const { id } = await getPlan(ctx, scope, planId);
  const changed = await ctx.db.$transaction(async (tx) => {
    const before = await tx.plan.findUniqueOrThrow({ where: { id } });
    const changes = changedFields({ ...before }, { ...data });
    if (Object.keys(changes).length === 0) return undefined;
    await recordAudit(ctx, tx, scope, { action: 'plan.updated', targetId: planId, changes });
    return tx.plan.update({ where: { id }, data });
  });
  if (!changed) return getPlan(ctx, scope, planId);
  await publishPlans(ctx, [changed]);
  return changed;
}
