import type { DbTransaction } from '../../db.ts';
import type { Scope } from '../merchant/scope.ts';
import { validText } from '../merchant/valid-text.ts';
import { MAX_PLAN_ID } from './plan-terms.ts';

/**
 * The condition for what belongs to a plan, by the merchant's own id; to an unknown one nothing does.
 *
 * @throws BillingError invalid_request, param `planId`, for what can be none
 */
export async function ofPlan(
  db: Pick<DbTransaction, 'plan'>,
  { merchantId, environment }: Scope,
  planId: string,
): Promise<{ planId: string } | { id: { in: string[] } }> {
  validText('planId', planId, MAX_PLAN_ID);
  const plan = await db.plan.findUnique({
    where: { merchantId_environment_planId: { merchantId, environment, planId } },
    select: { id: true },
  });
  return plan ? { planId: plan.id } : { id: { in: [] } };
}
