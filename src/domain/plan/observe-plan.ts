import type { AppContext } from '../../app.ts';
import type { PlanAccount } from '../../chain/accounts.ts';
import { collectorAddresses } from '../../chain/collectors.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { differences, publishedState } from './published-state.ts';

/**
 * Takes over what the chain says of a plan; `null` is a closed account. Seeing the same again changes nothing, and plans
 * that are not ours are passed over. The caller tells the states of one address in the order of their slots.
 *
 * A draft whose account has other terms stays a draft. A published plan whose account no longer lets us collect takes no
 * new subscribers until it does again.
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
  const wrong = account ? differences(plan, account, parties) : ['account'];
  if (!account || wrong.length > 0) {
    if (account) ctx.log.warn({ plan: id, address, wrong }, 'plan on chain has other terms than ours');
    if (status === 'ACTIVE') await ctx.db.plan.update({ where: { id }, data: { status: 'INACTIVE' } });
    return;
  }
  const now = ctx.clock.now();
  const published = plan.publishedAt ?? now;
  await ctx.db.plan.update({
    where: { id },
    data: { ...publishedState(account, now), publishedAt: published },
  });
}
