import type { FailureCode } from '../../generated/prisma/client.ts';
import type { Payer } from './payers.ts';

export type PaymentAbility =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: FailureCode; readonly balanceAvailable: bigint };

/** What remains of a token account after earlier pulls of the same batch. */
export interface Purse {
  readonly amount: bigint;
  readonly delegatedAmount: bigint;
}

/**
 * Whether the payer's accounts allow a pull of `amount`. `available` is what other pulls from the
 * same token account leave.
 */
export function canPay(
  payer: Payer,
  amount: bigint,
  available: Purse | null = payer.tokenAccount,
): PaymentAbility {
  const { tokenAccount } = payer;
  const failed = (failure: FailureCode): PaymentAbility => ({
    ok: false,
    failure,
    balanceAvailable: available?.amount ?? 0n,
  });
  if (!tokenAccount || !available) return failed('ACCOUNT_CLOSED');
  if (tokenAccount.frozen) return failed('ACCOUNT_FROZEN');
  if (!isApproved(payer) || available.delegatedAmount < amount) return failed('APPROVAL_REVOKED');
  return available.amount < amount ? failed('INSUFFICIENT_FUNDS') : { ok: true };
}

/**
 * Whether the approval is valid, and its authority is still the one with which the customer
 * subscribed.
 */
function isApproved({ authority, subscription }: Payer): boolean {
  // A closed subscription is a cancellation, which is handled elsewhere.
  return authority !== null && (!subscription || subscription.initId === authority.initId);
}
