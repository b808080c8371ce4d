import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { sunsetPlanTransaction } from '../../chain/plan-transactions.ts';
import { invalidRequest } from '../../errors.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import type { Scope } from '../merchant/scope.ts';
import { unixSeconds } from '../payment/billable.ts';
import { acceptsSubscribers } from './accepts-subscribers.ts';
import type { PlanToPublish } from './create-plan.ts';
import { getPlan } from './get-plan.ts';

export interface SunsetPlanInput {
  /** The merchant's own id of an active plan. */
  readonly planId: string;
  /** When the plan ends for those who subscribed, too: whole seconds, at least an interval away. */
  readonly endsAt: Date;
}

/**
 * The transaction that closes a plan to new subscribers. Nothing changes here before the merchant's wallet has sent it
 * and the chain was seen to have done it (`observePlan`).
 *
 * The program wants an end for that, at least an interval away and never later than one set before; after it nothing is
 * collected from anybody.
 *
 * @throws BillingError not_found, or invalid_request where it is not active, param `planId`; invalid_request, param `endsAt`
 */
export async function sunsetPlan(
  ctx: AppContext,
  scope: Scope,
  { planId, endsAt }: SunsetPlanInput,
): Promise<PlanToPublish> {
  const plan = await getPlan(ctx, scope, planId);
  const now = ctx.clock.now();
  if (!acceptsSubscribers(plan, now)) {
    throw invalidRequest('planId', `The plan ${planId} takes no subscribers as it is.`);
  }
  const seconds = validEnd(plan, endsAt, now);
  const { walletAddress } = await ctx.db.merchant.findUniqueOrThrow({ where: { id: scope.merchantId } });
  const transaction = await sunsetPlanTransaction(chainOf(ctx, scope.environment), {
    owner: address(walletAddress),
    plan: address(plan.address),
    endsAt: seconds,
  });
  return { plan, transaction };
}

// A wallet takes its time to sign, and the chain looks at its own clock then.
const SIGNING_SECONDS = 120;
/** The last second that a date of ours can hold comfortably: the year 9999. */
const LATEST = new Date('9999-12-31T23:59:59Z');

function validEnd(
  { intervalSeconds, endsAt: before }: Pick<Plan, 'intervalSeconds' | 'endsAt'>,
  endsAt: Date,
  now: Date,
): bigint {
  // One that stands already may be nearer.
  if (endsAt.getTime() === before?.getTime()) return unixSeconds(endsAt);
  const fromNow = Math.ceil(now.getTime() / 1000) + intervalSeconds + SIGNING_SECONDS;
  const earliest = new Date(fromNow * 1000);
  const latest = before ?? LATEST;
  if (endsAt.getMilliseconds() === 0 && endsAt >= earliest && endsAt <= latest) return unixSeconds(endsAt);
  throw invalidRequest(
    'endsAt',
    `endsAt must be a whole second from ${earliest.toISOString()} to ${latest.toISOString()}: an interval of the plan and the time to sign away, and not later than an end set before.`,
  );
}
