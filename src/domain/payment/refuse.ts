import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { type Claim, release } from './claim-due.ts';
import { failPayments } from './fail-payments.ts';
import type { DuePayment } from './prepare-payments.ts';
import { reconcilePeriod } from './reconcile-period.ts';
import type { Refusal } from './verdict.ts';

/** A claimed payment that is not collected now. */
export interface Refused {
  readonly due: DuePayment;
  readonly refusal: Refusal;
}

/** Does what is to be done about claimed payments before anything was sent: nothing of them is in hand after it. */
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
    await reconcilePeriod(ctx, chain, address as Address);
  }
  const now = ctx.clock.now().getTime();
  await release(
    ctx,
    claim.until,
    refused.flatMap(({ due, refusal }) => {
      // What was found and booked is not held any more, and keeps its new date.
      if (refusal.kind === 'fail') return [];
      return [{ subscriptionId: due.subscription.id, nextAttemptAt: new Date(now + refusal.delayMs) }];
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
