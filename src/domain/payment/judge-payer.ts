import { canPay, type Payer, type Purse } from '../../chain/payers.ts';
import { isOfLife } from '../subscription/lives.ts';
import { scheduleOf, unixSeconds } from './billable.ts';
import { LANDING_SECONDS } from './period.ts';
import type { DuePayment } from './prepare-payments.ts';
import { BLOCKED_DELAY_MS, NEXT_LOOK_MS, TROUBLE_DELAY_MS, type Verdict } from './verdict.ts';

/** The two clocks, and what other pulls of the same wallet leave of it. */
export interface Circumstances {
  readonly now: Date;
  /** The chain's own time, unix seconds. */
  readonly chainTime: bigint;
  readonly left: Purse | null;
}

/** The rule for one payment. */
export function judgePayer(
  { subscription, payment, window }: DuePayment,
  payer: Payer,
  { now, chainTime, left }: Circumstances,
): Verdict {
  if (chainTime < window.periodStart) {
    // The chain's clock is behind ours: the pull would be taken from the period before, which is not collected later.
    return { kind: 'later', delayMs: Number(window.periodStart - chainTime) * 1000 };
  }
  if (chainTime + LANDING_SECONDS >= window.periodEnd) {
    // It is ahead of ours: the pull would be taken from the period after, whose payment is another one.
    const untilOver = window.periodEnd - unixSeconds(now);
    return { kind: 'later', delayMs: Math.max(Number(untilOver) * 1000, TROUBLE_DELAY_MS) };
  }
  if (payer.unreadable) return { kind: 'later', delayMs: BLOCKED_DELAY_MS };
  const account = payer.subscription;
  const later: Verdict = { kind: 'later', delayMs: TROUBLE_DELAY_MS };
  // Closed or ended on chain: the indexer cancels it; it is not for us to call that a failure.
  if (!account || (account.expiresAt !== 0n && unixSeconds(now) >= account.expiresAt)) return later;
  const { startedAt, intervalSeconds } = scheduleOf(subscription);
  // Closed and made again: what the new life owes is not ours to collect. The indexer ends this one.
  if (!isOfLife(startedAt, account.periodStart, intervalSeconds)) return later;
  if (account.periodStart === window.periodStart && account.pulled >= account.amount) {
    return { kind: 'collected', delayMs: NEXT_LOOK_MS };
  }
  // A cancelled one is never charged again, although the program would still allow the running period.
  if (account.expiresAt !== 0n) return later;
  const ability = canPay(payer, payment.amount, left);
  if (ability.ok) return { kind: 'pull' };
  return { kind: 'fail', failure: { code: ability.failure, balanceAvailable: ability.balanceAvailable } };
}
