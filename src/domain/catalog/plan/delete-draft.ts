import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import { readPlans } from '../../../chain/accounts/plans.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { getPlan } from './get-plan.ts';
import { differingTerms } from './published-state.ts';

/**
 * Deletes a draft. A draft that is already on chain, although the indexer has not seen it yet, is
 * kept. If a signed transaction lands after the deletion, its plan exists on chain but dues does
 * not know it.
 *
 * @throws BillingError not_found, or invalid_request if it is published or the network cannot be
 *   read yet; param `planId`
 */
export async function deleteDraft(
  ctx: Pick<AppContext, 'db' | 'clock' | 'chain'>,
  scope: ActingScope,
  planId: string,
): Promise<void> {
  const plan = await getPlan(ctx, scope, planId);
  if (plan.status !== 'DRAFT' || (await isOnChain(ctx, plan))) throw alreadyPublished(planId);
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.plan.deleteMany({ where: { id: plan.id, status: 'DRAFT' } });
    if (count === 0) throw alreadyPublished(planId);
    await recordAudit(ctx, tx, scope, { action: 'plan.deleted', targetId: planId });
  });
}

function alreadyPublished(planId: string): Error {
  return invalidRequest('planId', `The plan ${planId} is published: only a draft can be deleted.`);
}

async function isOnChain(ctx: Pick<AppContext, 'db' | 'chain'>, plan: Plan): Promise<boolean> {
  // A node that is behind may not show the plan yet.
  const chain = await upToDate(ctx, chainOf(ctx, plan.environment), FEW_ATTEMPTS);
  const plans = await readPlans(chain, [address(plan.address)]).catch((cause: unknown) => {
    throw replaceNodeBehind(cause, 'planId');
  });
  const account = plans.get(address(plan.address));
  if (account === undefined || account === 'gone' || account === 'unreadable') return false;
  const { walletAddress } = await ctx.db.merchant.findUniqueOrThrow({ where: { id: plan.merchantId } });
  const parties = { merchantWallet: walletAddress, collectors: collectorAddresses(chain) };
  return differingTerms(plan, account, parties).length === 0;
}
