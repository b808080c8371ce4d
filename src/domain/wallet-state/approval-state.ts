import type { Address } from '@solana/kit';
import type { Payer } from '../../chain/accounts/payers.ts';

/** The approval through which a wallet pays. */
export type ApprovalState = 'OK' | 'REVOKED' | 'REPLACED' | 'CLOSED';

/** Of which kind the approval for a payment of `amount` is. `authority` is the wallet's own one. */
export function approvalState(
  { tokenAccount, authority: found, subscription }: Payer,
  amount: bigint,
  authority: Address,
): ApprovalState {
  if (!tokenAccount) return 'CLOSED';
  const { delegate, delegatedAmount } = tokenAccount;
  if (delegate === null) return 'REVOKED';
  if (!found) return delegate === authority ? 'CLOSED' : 'REPLACED';
  // An authority that was closed and created again does not pay for earlier subscriptions.
  if (subscription && subscription.initId !== found.initId) return 'CLOSED';
  return delegatedAmount < amount ? 'REVOKED' : 'OK';
}
