import { address } from '@solana/kit';
import type { RefundTerms } from '../../../chain/transactions/refund-transactions.ts';
import type { SendableRefund } from './find-refund.ts';

/** The terms of a refund's transfer on chain. */
export function termsOf({ amount, reference, merchant, payment }: SendableRefund): RefundTerms {
  const { walletAddress, plan } = payment.subscription;
  return {
    merchant: address(merchant.walletAddress),
    customer: address(walletAddress),
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount,
    reference: address(reference),
  };
}

/** The memo of its transaction, by which people find the refund. */
export function memoOf({ id }: { readonly id: string }): string {
  return `Refund ${id}`;
}
