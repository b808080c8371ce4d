import type { PullFailure } from '../../chain/errors.ts';
import { canPay, type Payer } from '../../chain/payers.ts';
import type { PayerFailure } from './books/book.ts';

/** How soon collection is tried again after trouble that is nobody's fault but ours. */
export const TROUBLE_DELAY_MS = 5_000;
const NOT_OPEN_DELAY_MS = 5_000;
/** A reason of our own, or of the merchant's plan, does not go away by itself. */
const OURS_DELAY_MS = 30_000;
/** How soon a transfer that the chain has and nobody finds is looked for again. */
export const NEXT_LOOK_MS = 10_000;

/** What is to be done about a payment that cannot be collected now. */
export type Refusal =
  | { readonly kind: 'fail'; readonly failure: PayerFailure }
  /** Not now, and nobody's failure. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The chain has this period's money: the books are behind. */
  | { readonly kind: 'collected'; readonly delayMs: number };

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
