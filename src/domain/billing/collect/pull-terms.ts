import type { Address } from '@solana/kit';
import type { PullTerms } from '../../../chain/accounts/pulls.ts';

/** The terms of a pull of `amount` from the subscription. */
export function pullTermsOf(
  subscription: {
    readonly address: string;
    readonly walletAddress: string;
    readonly tokenAccount: string;
    readonly plan: { readonly address: string; readonly mint: string; readonly tokenProgram: string };
    readonly merchant: { readonly walletAddress: string };
  },
  amount: bigint,
): PullTerms {
  const { address, walletAddress, tokenAccount, plan, merchant } = subscription;
  return {
    subscription: address as Address,
    plan: plan.address as Address,
    payer: walletAddress as Address,
    payerTokenAccount: tokenAccount as Address,
    receiver: merchant.walletAddress as Address,
    mint: plan.mint as Address,
    tokenProgram: plan.tokenProgram as Address,
    amount,
  };
}
