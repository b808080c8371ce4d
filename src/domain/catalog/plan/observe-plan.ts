import type { AppContext } from '../../../app.ts';
import type { PlanAccount } from '../../../chain/accounts/accounts.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { publishPlans } from './publish-plans.ts';
import { differingTerms, publishedState } from './published-state.ts';

/**
 * Applies the on-chain state of a plan; `null` means a closed account. Repeated calls change
 * nothing, and unknown plans are ignored. The caller must pass the states of one address in slot
 * order.
 *
 * A draft whose account has other terms stays a draft. A published plan whose account no longer
 * allows collection accepts no new subscriptions until it does again.
 */
export async function observePlan(
  ctx: AppContext,
  environment: Environment,
  address: string,
  account: PlanAccount | null,
): Promise<void> {
  const plan = await ctx.db.plan.findUnique({
    where: { environment_address: { environment, address } },
    include: { merchant: true },
  });
  if (!plan) return;
  const { id, status } = plan;
  const parties = {
    merchantWallet: plan.merchant.walletAddress,
    collectors: collectorAddresses(chainOf(ctx, environment)),
  };
  const differing = account ? differingTerms(plan, account, parties) : ['account'];
  if (!account || differing.length > 0) {
    if (account) ctx.log.warn({ plan: id, address, differing }, 'terms of plan on chain differ from ours');
    if (status === 'ACTIVE') {
      await publishPlans(ctx, [await ctx.db.plan.update({ where: { id }, data: { status: 'INACTIVE' } })]);
    }
    return;
  }
  const now = ctx.clock.now();
  const updated = await ctx.db.plan.update({
    where: { id },
    data: { ...publishedState(account, now), publishedAt: plan.publishedAt ?? now },
  });
  const hasChanged = updated.status !== status || updated.endsAt?.getTime() !== plan.endsAt?.getTime();
  if (hasChanged) await publishPlans(ctx, [updated]);
}
