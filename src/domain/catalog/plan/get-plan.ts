import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';

/**
 * Finds a plan by the merchant's id.
 *
 * @throws BillingError not_found, param `planId`
 */
export async function getPlan(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  planId: string,
): Promise<Plan> {
  const key = { merchantId, environment, planId };
  const plan = isStorable(planId)
    ? await db.plan.findUnique({ where: { merchantId_environment_planId: key } })
    : null;
  if (!plan) throw notFound('plan', 'planId');
  return plan;
}
