import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import { readPlans } from '../../../chain/accounts/plans.ts';
import { repairPlanTransaction } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { PlanToPublish } from './create-plan.ts';
import { getPlan } from './get-plan.ts';

/**
 * Creates the transaction that lets dues collect a plan's payments again. The plan changes only
 * when the transaction is seen on chain (`observePlan`).
 *
 * @throws BillingError not_found, or invalid_request if the plan needs no repair or the chain
 *   allows none; param `planId`
 */
export async function repairPlan(ctx: AppContext, scope: Scope, planId: string): Promise<PlanToPublish> {
  const plan = await getPlan(ctx, scope, planId);
  const chain = chainOf(ctx, scope.environment);
  const collectors = collectorAddresses(chain);
  const account = (await readPlans(chain, [address(plan.address)])).get(address(plan.address));
  const refuse = (problem: string) => invalidRequest('planId', `The plan ${planId} ${problem}.`);
  if (account === undefined || account === 'gone') throw refuse('is not on chain');
  if (account === 'unreadable') throw refuse('cannot be read on chain');
  // The program accepts no change to a closed plan.
  if (!account.active) throw refuse('is closed to new customers and can no longer be changed');
  if (collectors.every((collector) => account.pullers.includes(collector))) {
    throw refuse('names every collector of dues and needs no repair');
  }
  const transaction = await repairPlanTransaction(chain, { plan: address(plan.address), seen: account });
  return { plan, transaction };
}
