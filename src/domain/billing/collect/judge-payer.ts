import { canPay, type Purse } from '../../../chain/accounts/can-pay.ts';
import type { Payer } from '../../../chain/accounts/payers.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { isOfSubscription } from '../lifecycle/match-subscriptions.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { LANDING_SECONDS } from '../schedule/period.ts';
import {
  BLOCKED_DELAY_MS,
  CLUSTER_ERROR_DELAY_MS,
  type CollectDecision,
  TRANSFER_SEARCH_DELAY_MS,
} from './collect-decision.ts';
import { guardPull } from './guard-pull.ts';
import type { DuePayment } from './prepare-payments.ts';

/** The time by both clocks, and the amounts that earlier pulls of this batch leave to the payer. */
export interface Circumstances {
  readonly now: Date;
  /** The chain's own time, unix seconds. */
  readonly chainTime: bigint;
  readonly remaining: Purse | null;
  /** Whether the accounts may be older than the newest known slot. */
  readonly isOld: boolean;
}

/** Decides one payment by its payer's accounts. */
export function judgePayer(
  { subscription, payment, period, booked }: DuePayment,
  payer: Payer,
  { now, chainTime, remaining, isOld }: Circumstances,
): CollectDecision {
  if (chainTime < period.periodStart) {
    // The chain's clock is behind ours: the pull would count for the previous period.
    return { kind: 'later', delayMs: Number(period.periodStart - chainTime) * 1000 };
  }
  if (chainTime + LANDING_SECONDS >= period.periodEnd) {
    // The chain's clock is ahead of ours: the pull could count for the next period.
    const secondsLeft = period.periodEnd - unixSeconds(now);
    return { kind: 'later', delayMs: Math.max(Number(secondsLeft) * 1000, CLUSTER_ERROR_DELAY_MS) };
  }
  if (payer.unreadable) return { kind: 'later', delayMs: BLOCKED_DELAY_MS };
  const account = payer.subscription;
  const later: CollectDecision = { kind: 'later', delayMs: CLUSTER_ERROR_DELAY_MS };
  // Closed or ended on chain: the indexer cancels the subscription. The payer has not failed.
  if (!account || (account.expiresAt !== 0n && unixSeconds(now) >= account.expiresAt)) return later;
  const { startedAt, periodSeconds } = scheduleOf(subscription);
  // Closed and created again: the account is another subscription. The indexer ends this one.
  if (!isOfSubscription(startedAt, account, periodSeconds)) return later;
  const guarded = guardPull(account, { amount: payment.amount, period, booked, isOld });
  if (guarded.kind === 'search') return { kind: 'collected', delayMs: TRANSFER_SEARCH_DELAY_MS };
  // A cancelled subscription is never charged again, although the program would still allow it in
  // the current period.
  if (account.expiresAt !== 0n) return later;
  if (guarded.kind === 'nothing_left')
    return { kind: 'later', delayMs: BLOCKED_DELAY_MS, because: 'nothing left of the limit' };
  if (guarded.kind === 'wait') return { ...later, because: 'account does not show what was booked' };
  const ability = canPay(payer, guarded.amount, remaining);
  if (ability.ok) return guarded;
  return { kind: 'fail', failure: { code: ability.failure, balanceAvailable: ability.balanceAvailable } };
}
