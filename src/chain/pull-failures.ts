import type { FailureCode } from '../generated/prisma/client.ts';
import type { TransactionFailure } from './rpc/transaction-failure.ts';

/** The meaning of a failed pull for the subscription. */
export type PullFailure =
  /** The payer could not pay. */
  | { readonly kind: 'payer'; readonly failureCode: FailureCode }
  /**
   * The token account of the payer or of the merchant is the cause. The chain does not say which,
   * so `canPay` decides after a new read.
   */
  | { readonly kind: 'payer_or_merchant'; readonly failureCode: FailureCode }
  /** The amount of this period was already pulled, and our payment does not show it yet. */
  | { readonly kind: 'already_collected' }
  /** The period has not started by the chain's clock. The payment is retried later. */
  | { readonly kind: 'not_open' }
  /** The cancellation has taken effect, or the subscription is closed. */
  | { readonly kind: 'cancelled' }
  /**
   * The plan has ended, was deleted, or was created again with other terms. Nothing more can be
   * collected.
   */
  | { readonly kind: 'plan_ended' }
  /** Any other cause: our transaction, our collector or the merchant's plan. Never the customer. */
  | { readonly kind: 'ours' };

/** The program's own codes start here. Lower codes come from the token program that it calls. */
const FIRST_PROGRAM_CODE = 100;

const TOKEN_PROGRAM_CODES: Readonly<Record<number, PullFailure>> = {
  // InsufficientFunds: only the source account can cause it.
  1: { kind: 'payer', failureCode: 'INSUFFICIENT_FUNDS' },
  // OwnerMismatch: the authority is not the account's delegate.
  4: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // AccountFrozen: the source or the destination.
  17: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_FROZEN' },
};

const PROGRAM_CODES: Readonly<Record<number, PullFailure>> = {
  // invalidSubscriptionAuthorityPda: the address is derived correctly, so the account is closed.
  103: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // invalidToken2022TokenAccountData, invalidTokenSplTokenAccountData: a token account on either
  // side is missing.
  107: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_CLOSED' },
  110: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_CLOSED' },
  // invalidDelegatePda: the authority does not belong to this payer and token.
  126: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // staleSubscriptionAuthority: the authority was closed and created again since the customer
  // subscribed.
  136: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // amountExceedsPeriodLimit: we pull what was left, so something was pulled since. The guard decides again.
  400: { kind: 'already_collected' },
  // delegationNotStarted: the cluster's clock is before the start of the period.
  407: { kind: 'not_open' },
  // planExpired, planClosed, planTermsMismatch (deleted and created again under the same id).
  501: { kind: 'plan_ended' },
  516: { kind: 'plan_ended' },
  519: { kind: 'plan_ended' },
  // subscriptionCancelled: the period in which it was cancelled is over.
  508: { kind: 'cancelled' },
};

const OURS: PullFailure = { kind: 'ours' };

/**
 * Finds the pull that failed in a transaction, and the reason. `pulls` has the instruction indexes
 * of the pulls. `pullIndex` is the instruction index of the failed pull. It is `null` if no pull
 * failed: the transaction was refused as a whole, or another instruction failed.
 */
export function explainPullFailure(
  failure: TransactionFailure,
  pulls: readonly (number | null)[],
): { readonly pullIndex: number | null; readonly failure: PullFailure } {
  const { instruction, name, custom } = failure;
  if (instruction === null || !pulls.includes(instruction)) return { pullIndex: null, failure: OURS };
  return { pullIndex: instruction, failure: toPullFailure(name, custom) };
}

function toPullFailure(name: string, custom: number | null): PullFailure {
  if (custom !== null) {
    const table = custom < FIRST_PROGRAM_CODE ? TOKEN_PROGRAM_CODES : PROGRAM_CODES;
    return table[custom] ?? OURS;
  }
  // The program does not own the subscription, so it is closed. (A closed plan has its own code,
  // 516.)
  return name === 'InvalidAccountOwner' ? { kind: 'cancelled' } : OURS;
}
