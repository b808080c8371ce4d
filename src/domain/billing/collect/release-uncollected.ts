import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { endWithPlan } from '../lifecycle/end-with-plan.ts';
import { failPayments } from '../settle/fail-payments.ts';
import { settlePeriod } from '../settle/settle-period.ts';
import { type Claim, release } from './claim-due.ts';
import { nextAttempt, type Uncollected } from './collect-decision.ts';
import type { DuePayment } from './prepare-payments.ts';

/** A claimed payment that is not collected now, and why. */
export interface UncollectedPayment {
  readonly due: DuePayment;
  readonly decision: Uncollected;
}

/**
 * Handles claimed payments that are not sent: records failures, ends subscriptions, looks for
 * transfers, and releases the claims. If a step fails, the claim expires.
 */
export async function releaseUncollected(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  uncollected: readonly UncollectedPayment[],
): Promise<void> {
  for (const { due, decision } of uncollected) {
    if (decision.kind !== 'collected') continue;
    const { subscription, payment } = due;
    const { address } = subscription;
    ctx.log.info({ subscription: address }, 'payment already pulled on chain: looking for its transfer');
    const { periodStart } = payment;
    await settlePeriod(ctx, chain, { subscription, periodStart }).catch((err: unknown) =>
      ctx.log.error({ err, subscription: address }, 'transfer of a payment not settled: will be retried'),
    );
  }
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
      // A payment whose transfer was found and settled is not claimed any more and keeps its date.
      if (decision.kind === 'fail' || decision.kind === 'over') return [];
      const nextAttemptAt = nextAttempt(now, decision.delayMs, due.period.periodEnd);
      return [{ subscriptionId: due.subscription.id, nextAttemptAt }];
    }),
  );
  await failPayments(
    ctx,
    uncollected.flatMap(({ due: { subscription, payment }, decision }) => {
      if (decision.kind !== 'fail') return [];
      const { id: subscriptionId, claimedUntil } = subscription;
      return [{ subscriptionId, periodStart: payment.periodStart, claimedUntil, failure: decision.failure }];
    }),
  );
}
