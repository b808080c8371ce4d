import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import type { SendableRefund } from './find-refund.ts';
import { memoOf } from './refund-terms.ts';

/**
 * The Solana Pay transfer request of a refund: a wallet that opens it sends the amount to the
 * customer, with the reference. Only the merchant's wallet counts as its sender.
 * https://github.com/solana-foundation/solana-pay/blob/master/SPEC.md
 */
export function solanaPayUrl(refund: SendableRefund, decimals: number): string {
  const { amount, reference, merchant, payment } = refund;
  const { walletAddress, plan } = payment.subscription;
  // The encoding of URLSearchParams writes a space as `+`, which wallets show.
  const query = Object.entries({
    amount: toDecimal(amount, decimals),
    'spl-token': plan.mint,
    reference,
    label: merchant.companyName,
    message: `Refund of ${plan.name}`,
    memo: memoOf(refund),
  }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `solana:${walletAddress}?${query.join('&')}`;
}
