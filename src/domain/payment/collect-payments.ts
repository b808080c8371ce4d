import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { canPay, readPayers } from '../../chain/payers.ts';
import { type Pull, resolvePulls } from '../../chain/pulls.ts';
import { readChainTime } from '../../chain/read-accounts.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { isOfLife } from '../subscription/lives.ts';
import { scheduleOf, unixSeconds } from './billable.ts';
import { claimDue, release } from './claim-due.ts';
import { failPayment } from './fail-payment.ts';
import { type DuePayment, preparePayment } from './prepare-payment.ts';
import { pullTermsOf } from './pull-terms.ts';
import { reconcilePeriod } from './reconcile-period.ts';
import { submitPulls } from './submit-pulls.ts';

/** How soon collection is tried again after trouble that is nobody's fault but ours. */
const TROUBLE_DELAY_MS = 5_000;

/** A payment with all that the chain must be told to collect it. */
export interface PayablePayment extends DuePayment {
  readonly pull: Pull;
}

/**
 * Collects from those of the subscriptions that are due: the steps 2 to 6 of docs/architecture.md, "Collect". May be
 * called by anyone for anything at any time: what is not due, or is in somebody else's hands, is left alone.
 */
export async function collectPayments(
  ctx: AppContext,
  environment: Environment,
  subscriptionIds: readonly string[],
): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain) return;
  const claimed = await claimDue(ctx, environment, subscriptionIds);
  try {
    const due: DuePayment[] = [];
    for (const { id } of claimed) {
      const payment = await preparePayment(ctx, id);
      if (payment) due.push(payment);
    }
    const payable = await refuseThoseWhoCannotPay(ctx, chain, await withPulls(due));
    await submitPulls(ctx, chain, payable);
  } catch (err) {
    // RPC or database trouble says nothing about any customer: hand everything back as it was.
    ctx.log.error(
      { err, environment, subscriptions: claimed.length },
      'collection failed, will be tried again',
    );
    await release(
      ctx,
      claimed.map(({ id }) => id),
      later(ctx),
    );
  }
}

async function withPulls(due: readonly DuePayment[]): Promise<PayablePayment[]> {
  const pulls = await resolvePulls(
    due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount)),
  );
  return due.map((payment, index) => ({ ...payment, pull: pulls[index] as Pull }));
}

/** Reads what stands behind every payment; those that cannot be paid fail here, before any fee is spent on them. */
async function refuseThoseWhoCannotPay(
  ctx: AppContext,
  chain: Chain,
  due: readonly PayablePayment[],
): Promise<PayablePayment[]> {
  if (due.length === 0) return [];
  const pulls = due.map(({ pull }) => pull);
  const [payers, chainTime] = await Promise.all([readPayers(chain, pulls), readChainTime(chain)]);
  const payable: PayablePayment[] = [];
  for (const [index, one] of due.entries()) {
    const payer = payers[index];
    if (!payer) throw new Error('a payer was not read');
    const { subscription, payment, window } = one;
    if (chainTime < window.periodStart) {
      // The chain's clock is behind ours: the pull would be taken from the period before, which is not collected later.
      const behindMs = Number(window.periodStart - chainTime) * 1000;
      await release(ctx, [subscription.id], later(ctx, behindMs));
      continue;
    }
    const account = payer.subscription;
    if (!account || (account.expiresAt !== 0n && unixSeconds(ctx.clock.now()) >= account.expiresAt)) {
      // Closed or ended on chain: the indexer cancels it; it is not for us to call that a failure.
      await release(ctx, [subscription.id], later(ctx));
      continue;
    }
    const { startedAt, intervalSeconds } = scheduleOf(subscription);
    if (!isOfLife(startedAt, account.periodStart, intervalSeconds)) {
      // Closed and made again: what the new life owes is not ours to collect. The indexer ends this one.
      await release(ctx, [subscription.id], later(ctx));
      continue;
    }
    if (account.periodStart === window.periodStart && account.pulled >= account.amount) {
      await reconcilePeriod(ctx, chain, subscription);
      continue;
    }
    if (account.expiresAt !== 0n) {
      // A cancelled one is never charged again, although the program would still allow the running period.
      await release(ctx, [subscription.id], later(ctx));
      continue;
    }
    const ability = canPay(payer, payment.amount);
    if (ability.ok) payable.push(one);
    else {
      await failPayment(
        ctx,
        { subscriptionId: subscription.id, paymentId: payment.id, claimedUntil: subscription.claimedUntil },
        { code: ability.failure, balanceAvailable: ability.balanceAvailable },
      );
    }
  }
  return payable;
}

function later({ clock }: AppContext, delayMs = TROUBLE_DELAY_MS): Date {
  return new Date(clock.now().getTime() + delayMs);
}
