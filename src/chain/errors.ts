import type { FailureCode } from '../generated/prisma/client.ts';
import type { TransactionFailure } from './transaction-failure.ts';

/** What the failure of a pull means for the subscription. */
export type PullFailure =
  /** The payer could not pay. */
  | { readonly kind: 'payer'; readonly failureCode: FailureCode }
  /** The payer's token account or the merchant's: the chain does not say whose. `canPay` tells after a new read. */
  | { readonly kind: 'payer_or_merchant'; readonly failureCode: FailureCode }
  /** This period's amount was taken before: the money has arrived, the books are behind. */
  | { readonly kind: 'already_collected' }
  /** The period has not started on the chain's clock: later. */
  | { readonly kind: 'not_open' }
  /** Cancelled and over, or closed. */
  | { readonly kind: 'cancelled' }
  /** The plan has ended, was deleted, or was made again with other terms: nothing can be collected any more. */
  | { readonly kind: 'plan_ended' }
  /** Anything else: our transaction, our collector or the merchant's plan. Never the customer's fault. */
  | { readonly kind: 'ours' };

/** The program's own numbers start here; those below come from the token program that it calls. */
const FIRST_PROGRAM_CODE = 100;

const TOKEN_PROGRAM_CODES: Readonly<Record<number, PullFailure>> = {
  // InsufficientFunds: of the source account; the destination cannot cause it.
  1: { kind: 'payer', failureCode: 'INSUFFICIENT_FUNDS' },
  // OwnerMismatch: the signing authority is not the account's delegate (any more).
  4: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // AccountFrozen: either side of the transfer.
  17: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_FROZEN' },
};

const PROGRAM_CODES: Readonly<Record<number, PullFailure>> = {
  // invalidSubscriptionAuthorityPda: we derive the address, so what is wrong is that the account is closed.
  103: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // invalidToken2022TokenAccountData, invalidTokenSplTokenAccountData: no such token account; either side.
  107: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_CLOSED' },
  110: { kind: 'payer_or_merchant', failureCode: 'ACCOUNT_CLOSED' },
  // invalidDelegatePda: the authority is not this payer's and asset's.
  126: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // staleSubscriptionAuthority: closed and made again since the customer subscribed.
  136: { kind: 'payer', failureCode: 'APPROVAL_REVOKED' },
  // amountExceedsPeriodLimit: we pull the whole amount, so some of it is gone already.
  400: { kind: 'already_collected' },
  // delegationNotStarted: the cluster's clock is behind the period's start.
  407: { kind: 'not_open' },
  // planExpired, planClosed, planTermsMismatch (deleted and made again under the same id).
  501: { kind: 'plan_ended' },
  516: { kind: 'plan_ended' },
  519: { kind: 'plan_ended' },
  // subscriptionCancelled: past the period that it was cancelled in.
  508: { kind: 'cancelled' },
};

const OURS: PullFailure = { kind: 'ours' };

/**
 * What a failed transaction of pulls says: which of its instructions failed, and why. `pulls` are the places of the
 * pulls among them. `place` is `null` where no pull is to blame: the transaction was refused as a whole, or another
 * instruction failed.
 */
export function explainPullFailure(
  failure: TransactionFailure,
  pulls: readonly (number | null)[],
): { readonly place: number | null; readonly failure: PullFailure } {
  const { instruction, name, custom } = failure;
  if (instruction === null || !pulls.includes(instruction)) return { place: null, failure: OURS };
  return { place: instruction, failure: pullFailure(name, custom) };
}

function pullFailure(name: string, custom: number | null): PullFailure {
  if (custom !== null) {
    const table = custom < FIRST_PROGRAM_CODE ? TOKEN_PROGRAM_CODES : PROGRAM_CODES;
    return table[custom] ?? OURS;
  }
  // The subscription is not the program's: closed. (A closed plan has a code of its own, 516.)
  return name === 'InvalidAccountOwner' ? { kind: 'cancelled' } : OURS;
}
