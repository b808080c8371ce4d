import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { deletePlanTransaction } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { hasEnded } from './accepts-subscribers.ts';
import type { PlanToPublish } from './create-plan.ts';
import { getPlan } from './get-plan.ts';

/**
 * Creates the transaction that deletes the account of a plan after its end, which returns the rent
 * to the merchant's wallet. The plan and its history stay in dues.
 *
 * @throws BillingError not_found, or invalid_request if the plan has not ended; param `planId`
 */
export async function deletePlan(ctx: AppContext, scope: Scope, planId: string): Promise<PlanToPublish> {
  const plan = await getPlan(ctx, scope, planId);
  if (plan.status === 'DRAFT' || !hasEnded(plan, ctx.clock.now())) {
    throw invalidRequest('planId', `The plan ${planId} has not ended: its account must stay until then.`);
  }
  const { walletAddress } = await ctx.db.merchant.findUniqueOrThrow({ where: { id: scope.merchantId } });
  const transaction = await deletePlanTransaction(chainOf(ctx, scope.environment), {
    owner: address(walletAddress),
    plan: address(plan.address),
  });
  if (transaction === undefined) {
    throw invalidRequest('planId', `The account of the plan ${planId} is deleted already.`);
  }
  return { plan, transaction };
}
