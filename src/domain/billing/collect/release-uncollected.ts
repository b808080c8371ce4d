import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { endWithPlan } from '../lifecycle/end-with-plan.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { endsOfPeriod, nextAttempt } from '../schedule/retry-time.ts';
import { failPayments } from '../settle/fail-payments.ts';
import { settlePeriod } from '../settle/settle-period.ts';
import { type Claim, release } from './claim-due.ts';
import type { Uncollected } from './collect-decision.ts';
import type { DuePayment } from './prepare-payments.ts';

const MAX_CONCURRENT_SEARCHES = 4;

/** A claimed payment that is not collected now, and why. */
export interface UncollectedPayment {
  readonly due: DuePayment;
  readonly decision: Uncollected;
}

/**
 * Handles claimed payments that are not sent: ends subscriptions, releases the claims, records
 * failures, and looks for transfers. If a step fails, the claim expires.
 */
export async function releaseUncollected(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  uncollected: readonly UncollectedPayment[],
): Promise<void> {
  for (const { due, decision } of uncollected) {
    if (decision.kind !== 'over') continue;
    const { id, address } = due.subscription;
    // A subscription that cannot be ended must not stop the others.
    await endWithPlan(ctx, id).catch((err: unknown) =>
      ctx.log.error({ err, subscription: address }, 'subscription of an ended plan not cancelled'),
    );
  }
  const now = ctx.clock.now();
  await release(
    ctx,
    claim,
    uncollected.flatMap(({ due, decision }) => {
      if (decision.kind === 'fail' || decision.kind === 'over') return [];
      const ends = endsOfPeriod(scheduleOf(due.subscription), due.period.periodStart);
      const nextAttemptAt = nextAttempt(now, decision.delayMs, ends);
      return [{ subscriptionId: due.subscription.id, nextAttemptAt }];
    }),
  );
  await failPayments(
    ctx,
    uncollected.flatMap(({ due: { subscription, payment }, decision }) => {
      if (decision.kind !== 'fail') return [];
      const { periodStart, ordinal } = payment;
      const { failure } = decision;
      const key = { subscriptionId: subscription.id, periodStart, ordinal };
      return [{ ...key, claimedUntil: claim.until, failure }];
    }),
  );
  await settleCollected(ctx, chain, uncollected);
}

/** Settles payments that were pulled on chain. Comes last, because it reads many transactions. */
async function settleCollected(
  ctx: AppContext,
  chain: Chain,
  uncollected: readonly UncollectedPayment[],
): Promise<void> {
  const collected = uncollected.filter(({ decision }) => decision.kind === 'collected');
  await mapConcurrently(collected, MAX_CONCURRENT_SEARCHES, async ({ due }) => {
    const { subscription, payment } = due;
    const { address } = subscription;
    ctx.log.info({ subscription: address }, 'payment already pulled on chain: looking for its transfer');
    const { periodStart, ordinal } = payment;
    await settlePeriod(ctx, chain, { subscription, periodStart, ordinal }).catch((err: unknown) =>
      ctx.log.error({ err, subscription: address }, 'transfer of a payment not settled: will be retried'),
    );
  });
}
