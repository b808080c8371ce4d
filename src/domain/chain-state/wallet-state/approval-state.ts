import type { Address } from '@solana/kit';
import type { Payer } from '../../../chain/accounts/payers.ts';

/** The state of the approval through which a wallet pays. */
export type ApprovalState = 'OK' | 'REVOKED' | 'REPLACED' | 'CLOSED';

/**
 * Determines the state of the approval for a payment of `amount`.
 *
 * @param authority address of the wallet's subscription authority for the token
 */
export function approvalState(
  { tokenAccount, authority: authorityAccount, subscription }: Payer,
  amount: bigint,
  authority: Address,
): ApprovalState {
  if (!tokenAccount) return 'CLOSED';
  const { delegate, delegatedAmount } = tokenAccount;
  if (delegate === null) return 'REVOKED';
  if (!authorityAccount) return delegate === authority ? 'CLOSED' : 'REPLACED';
  // An authority that was closed and created again is not valid for earlier subscriptions.
  if (subscription && subscription.initId !== authorityAccount.initId) return 'CLOSED';
  return delegatedAmount < amount ? 'REVOKED' : 'OK';
}
