import { canPay } from '../../../chain/accounts/can-pay.ts';
import type { Payer } from '../../../chain/accounts/payers.ts';
import type { PullFailure } from '../../../chain/pull-failures.ts';
import type { CollectionGate } from '../../chain-state/mirror/collection-gate.ts';
import type { PayerFailure } from '../book/book.ts';

/** Delay before a retry after an error of dues or of a node. */
export const CLUSTER_ERROR_DELAY_MS = 5_000;
const NOT_OPEN_DELAY_MS = 5_000;
/** Longer, because only a new release repairs an error in how dues builds a pull. */
const OURS_DELAY_MS = 30_000;
/** For problems that a person must fix: the merchant a plan, the operator an unreadable account. */
export const BLOCKED_DELAY_MS = 10 * 60_000;
/** For accounts that cannot be read although the cluster answers. */
export const UNREAD_DELAY_MS = 60_000;
/** For failures that only an up-to-date mirror can confirm. */
const IN_DOUBT_DELAY_MS = 60_000;
/** Delay before another search for a transfer that is on chain but was not found. */
export const TRANSFER_SEARCH_DELAY_MS = 10_000;

/** Why the guard holds a payment: `guard-pull.ts`. */
export type GuardReason = 'account does not show what was booked' | 'nothing left of the limit';

/** The decision for a payment that cannot be collected now. */
export type Uncollected =
  | { readonly kind: 'fail'; readonly failure: PayerFailure }
  /** Not now. The payer has not failed. */
  | { readonly kind: 'later'; readonly delayMs: number; readonly because?: GuardReason }
  /** Already pulled on chain in this period, and not settled here. */
  | { readonly kind: 'collected'; readonly delayMs: number }
  /** The plan has ended: nothing can be collected any more. */
  | { readonly kind: 'over' };

/** The decision for a due payment. */
export type CollectDecision = Uncollected | { readonly kind: 'pull'; readonly amount: bigint };

/**
 * The decision for a pull that failed in a simulation or on chain. `payer` was read at the slot of
 * the failure or later. The payer fails only if these accounts confirm it, and with the reason that
 * they show: the money may have arrived meanwhile, or the simulation may have used an old state.
 */
export function decisionAfterFailure(
  failure: PullFailure,
  payer: Payer | undefined,
  amount: bigint,
): Uncollected {
  switch (failure.kind) {
    case 'payer':
    case 'payer_or_merchant': {
      const later = { kind: 'later', delayMs: OURS_DELAY_MS } as const;
      if (!payer || payer.unreadable) return later;
      const ability = canPay(payer, amount);
      if (ability.ok) return later;
      const { failure: code, balanceAvailable } = ability;
      return { kind: 'fail', failure: { code, balanceAvailable } };
    }
    case 'already_collected':
      return { kind: 'collected', delayMs: TRANSFER_SEARCH_DELAY_MS };
    case 'not_open':
      return { kind: 'later', delayMs: NOT_OPEN_DELAY_MS };
    case 'cancelled':
    case 'plan_ended':
    case 'ours':
      return { kind: 'later', delayMs: OURS_DELAY_MS };
  }
}

/**
 * The decision for a pull that failed on chain. A node that is behind cannot cause such a failure.
 * The first time that the payer's accounts contradict it, the payment is retried, because the money
 * may have arrived late. From the second time on the payer has failed. Otherwise a wallet that
 * moves its money away before each attempt would never be past due, and each attempt would cost a
 * fee. If the accounts cannot be read, the payment waits.
 */
export function decisionAfterLandedFailure(
  failure: PullFailure,
  payer: Payer | undefined,
  { amount, isRepeated }: { readonly amount: bigint; readonly isRepeated: boolean },
): Uncollected {
  const decision = decisionAfterFailure(failure, payer, amount);
  // A failure that the merchant may have caused counts only if the payer's accounts confirm it.
  if (decision.kind !== 'later' || failure.kind !== 'payer' || !isRepeated || !payer) return decision;
  const balanceAvailable = payer.tokenAccount?.amount ?? 0n;
  return { kind: 'fail', failure: { code: failure.failureCode, balanceAvailable } };
}

/** Replaces a failure that the mirror cannot confirm, because it is behind, by a delay. */
export function waitIfInDoubt<T extends CollectDecision>(decision: T, gate: CollectionGate): T | Uncollected {
  if (decision.kind !== 'fail' || gate.mayFail(decision.failure.code)) return decision;
  return { kind: 'later', delayMs: IN_DOUBT_DELAY_MS };
}

/**
 * The delays of payments that failed together: spread evenly over the second half of `delayMs`, so
 * that they are not claimed together again.
 */
export function spreadDelays(delayMs: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.ceil((delayMs / 2) * (1 + (index + 1) / count)));
}
