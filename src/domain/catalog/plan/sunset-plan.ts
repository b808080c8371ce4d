import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { sunsetPlanTransaction } from '../../../chain/transactions/plan-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { acceptsSubscribers } from './accepts-subscribers.ts';
import type { PlanToPublish } from './create-plan.ts';
import { getPlan } from './get-plan.ts';

export interface SunsetPlanInput {
  /** The merchant's id of an active plan. */
  readonly planId: string;
  /** When collection ends for all customers: a whole second, see `sunsetPlan` for the limits. */
  readonly endsAt: Date;
}

/**
 * Creates the transaction that closes a plan to new customers. The plan changes only when the
 * transaction is seen on chain (`observePlan`).
 *
 * The program closes a plan only together with an end, after which nothing is collected. The end
 * must be at least one interval, 120 seconds (the time to sign) and the largest `collectWithinSeconds` that the
 * plan has had from now, because attempts that have a time keep it, and not later than an existing end. An existing
 * end may always be kept.
 *
 * @throws BillingError not_found, or invalid_request if it is not active, param `planId`;
 *   invalid_request, param `endsAt`
 */
export async function sunsetPlan(
  ctx: AppContext,
  scope: Scope,
  { planId, endsAt }: SunsetPlanInput,
): Promise<PlanToPublish> {
  const plan = await getPlan(ctx, scope, planId);
  const now = ctx.clock.now();
  if (!acceptsSubscribers(plan, now)) {
    throw invalidRequest('planId', `The plan ${planId} is already closed to new customers.`);
  }
  const endSeconds = validEnd(plan, endsAt, now);
  const { walletAddress } = await ctx.db.merchant.findUniqueOrThrow({ where: { id: scope.merchantId } });
  const transaction = await sunsetPlanTransaction(chainOf(ctx, scope.environment), {
    owner: address(walletAddress),
    plan: address(plan.address),
    endsAt: endSeconds,
  });
  return { plan, transaction };
}

/** Time for the wallet to sign, because the chain checks the end when the transaction lands. */
const SIGNING_SECONDS = 120;
/** The last second of the year 9999. */
const LATEST = new Date('9999-12-31T23:59:59Z');

function validEnd(
  {
    periodSeconds,
    maxCollectWithinSeconds,
    endsAt: existingEnd,
  }: Pick<Plan, 'periodSeconds' | 'maxCollectWithinSeconds' | 'endsAt'>,
  endsAt: Date,
  now: Date,
): bigint {
  // An existing end is kept, even if it is less than one interval away.
  if (endsAt.getTime() === existingEnd?.getTime()) return BigInt(endsAt.getTime() / 1000);
  const earliestSeconds =
    Math.ceil(now.getTime() / 1000) + periodSeconds + maxCollectWithinSeconds + SIGNING_SECONDS;
  const earliest = new Date(earliestSeconds * 1000);
  const latest = existingEnd ?? LATEST;
  if (endsAt.getMilliseconds() === 0 && endsAt >= earliest && endsAt <= latest)
    return BigInt(endsAt.getTime() / 1000);
  throw invalidRequest(
    'endsAt',
    `endsAt must be a whole second from ${earliest.toISOString()} to ${latest.toISOString()}: one interval of the plan plus its largest collectWithinSeconds so far and the time to sign, and not later than an existing end.`,
  );
}
