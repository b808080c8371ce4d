import { address } from '@solana/kit';
import type { RefundTerms } from '../../../chain/transactions/refund-transactions.ts';
import { isId } from '../../kernel/input/valid-text.ts';
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

const MEMO = 'Refund ';

/** The memo of its transaction, by which people find the refund. */
export function memoOf({ id }: { readonly id: string }): string {
  return `${MEMO}${id}`;
}

/** The id of the refund that a memo names; undefined if it names none. Anyone may write a memo. */
export function refundIdIn(memo: string): string | undefined {
  const id = memo.slice(MEMO.length);
  return memo.startsWith(MEMO) && isId(id) ? id : undefined;
}
