import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { endWithPlan } from '../subscription/end-with-plan.ts';
import { type Claim, release } from './claim-due.ts';
import { failPayments } from './fail-payments.ts';
import type { DuePayment } from './prepare-payments.ts';
import { reconcilePeriod } from './reconcile-period.ts';
import { nextTry, type Refusal } from './verdict.ts';

/** A claimed payment that is not collected now. */
export interface Refused {
  readonly due: DuePayment;
  readonly refusal: Refusal;
}

/**
 * Does what is to be done about claimed payments before anything was sent: nothing of them is in hand after it but what could
 * not be ended, whose claim runs out.
 */
export async function refuse(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  refused: readonly Refused[],
): Promise<void> {
  for (const { due, refusal } of refused) {
    if (refusal.kind !== 'collected') continue;
    const { address } = due.subscription;
    ctx.log.info(
      { subscription: address },
      'the chain has this period’s payment, its transfer is looked for',
    );
    await reconcilePeriod(ctx, chain, address as Address).catch((err: unknown) =>
      ctx.log.error(
        { err, subscription: address },
        'the transfer of a payment was not booked, it is looked for again',
      ),
    );
  }
  for (const { due, refusal } of refused) {
    if (refusal.kind !== 'over') continue;
    const { id, address } = due.subscription;
    // That one cannot be ended is no reason to leave those that it was claimed with.
    await endWithPlan(ctx, id).catch((err: unknown) =>
      ctx.log.error({ err, subscription: address }, 'a subscription whose plan is over was not ended'),
    );
  }
  const now = ctx.clock.now();
  await release(
    ctx,
    claim.until,
    refused.flatMap(({ due, refusal }) => {
      // What was found and booked is not held any more, and keeps its new date.
      if (refusal.kind === 'fail' || refusal.kind === 'over') return [];
      const nextAttemptAt = nextTry(now, refusal.delayMs, due.window.periodEnd);
      return [{ subscriptionId: due.subscription.id, nextAttemptAt }];
    }),
  );
  await failPayments(
    ctx,
    refused.flatMap(({ due: { subscription, payment }, refusal }) => {
      if (refusal.kind !== 'fail') return [];
      const { id: subscriptionId, claimedUntil } = subscription;
      return [{ subscriptionId, periodStart: payment.periodStart, claimedUntil, failure: refusal.failure }];
    }),
  );
}
