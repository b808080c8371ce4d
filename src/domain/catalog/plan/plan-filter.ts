import type { DbTransaction } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { MAX_PLAN_ID } from './plan-terms.ts';

/**
 * The filter for the rows of one plan, by the merchant's own id of the plan. An unknown id matches
 * nothing.
 *
 * @throws BillingError invalid_request, param `planId`, if it cannot be an id
 */
export async function planFilter(
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
