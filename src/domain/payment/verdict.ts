import type { PullFailure } from '../../chain/errors.ts';
import { canPay, type Payer } from '../../chain/payers.ts';
import type { CollectionGate } from '../mirror/collection-may-go-on.ts';
import type { PayerFailure } from './books/book.ts';
import { LANDING_SECONDS } from './period.ts';

/** How soon collection is tried again after trouble that is nobody's fault but ours. */
export const TROUBLE_DELAY_MS = 5_000;
const NOT_OPEN_DELAY_MS = 5_000;
/** A reason of our own does not go away by itself. */
const OURS_DELAY_MS = 30_000;
/** Until somebody has done something about it: a merchant about the plan, one of us about what cannot be read. */
export const BLOCKED_DELAY_MS = 10 * 60_000;
/** Nobody is blamed for what only the mirror knows while that is behind. */
const IN_DOUBT_DELAY_MS = 60_000;
/** How soon a transfer that the chain has and nobody finds is looked for again. */
export const NEXT_LOOK_MS = 10_000;

/** Before the last moment: deciding, signing and writing down take a little. */
const LAST_TRY_MS = 10_000;

/** What is to be done about a payment that cannot be collected now. */
export type Refusal =
  | { readonly kind: 'fail'; readonly failure: PayerFailure }
  /** Not now, and nobody's failure. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The chain has this period's money: the books are behind. */
  | { readonly kind: 'collected'; readonly delayMs: number }
  /** Its plan is over, and nothing can ever be collected again. */
  | { readonly kind: 'over' };

/** What is to be done about a payment. */
export type Verdict = Refusal | { readonly kind: 'pull' };

/** The rule for a pull that the chain refused, or said that it would. `payer` has been read after that. */
export function refusalOf(failure: PullFailure, payer: Payer | undefined, amount: bigint): Refusal {
  switch (failure.kind) {
    case 'payer':
    case 'payer_or_merchant': {
      // Where the chain does not say whose account it was: the payer's, where the new read says so.
      const isTheirs = failure.kind === 'payer' || (payer !== undefined && !canPay(payer, amount).ok);
      if (!isTheirs) return { kind: 'later', delayMs: OURS_DELAY_MS };
      const balanceAvailable = payer?.tokenAccount?.amount ?? 0n;
      return { kind: 'fail', failure: { code: failure.failureCode, balanceAvailable } };
    }
    case 'already_collected':
      return { kind: 'collected', delayMs: NEXT_LOOK_MS };
    case 'not_open':
      return { kind: 'later', delayMs: NOT_OPEN_DELAY_MS };
    case 'cancelled':
    case 'plan_ended':
    case 'ours':
      return { kind: 'later', delayMs: OURS_DELAY_MS };
  }
}

/** The same, but where the failure needs a mirror that can be gone by, and it cannot: that one waits. */
export function unlessInDoubt<T extends Verdict>(verdict: T, gate: CollectionGate): T | Refusal {
  if (verdict.kind !== 'fail' || gate.mayBlame(verdict.failure.code)) return verdict;
  return { kind: 'later', delayMs: IN_DOUBT_DELAY_MS };
}

/**
 * When a payment that waits is tried again: not after the last moment at which it may still be sent, if that is to come,
 * for then its period would be missed for nothing.
 */
export function nextTry(now: Date, delayMs: number, periodEnd: bigint): Date {
  const lastMs = Number(periodEnd - LANDING_SECONDS) * 1000 - LAST_TRY_MS;
  const wantedMs = now.getTime() + delayMs;
  return new Date(now.getTime() < lastMs ? Math.min(wantedMs, lastMs) : wantedMs);
}
