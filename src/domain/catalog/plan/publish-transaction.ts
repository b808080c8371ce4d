import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { createPublishTransaction, type PlanToPublish } from './create-plan.ts';
import { getPlan } from './get-plan.ts';

/**
 * Creates a new transaction that publishes a draft. Each is valid for about a minute only.
 *
 * @throws BillingError not_found, or invalid_request if it is already published; param `planId`
 */
export async function publishTransaction(
  ctx: AppContext,
  scope: Scope,
  planId: string,
): Promise<PlanToPublish> {
  const plan = await getPlan(ctx, scope, planId);
  if (plan.status !== 'DRAFT') throw invalidRequest('planId', `The plan ${planId} is already published.`);
  const { walletAddress } = await ctx.db.merchant.findUniqueOrThrow({ where: { id: scope.merchantId } });
  return { plan, transaction: await createPublishTransaction(ctx, plan, address(walletAddress)) };
}
