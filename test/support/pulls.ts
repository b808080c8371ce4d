import { authorityAddress, tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import type { Pull, PullTerms } from '../../src/chain/accounts/pulls.ts';

/** Derives all addresses of pulls. In dues, the payer's token account is read from the chain. */
export async function resolvePulls(terms: readonly Omit<PullTerms, 'payerTokenAccount'>[]): Promise<Pull[]> {
  return Promise.all(
    terms.map(async (term) => {
      const { payer, receiver, mint, tokenProgram } = term;
      const [payerTokenAccount, receiverTokenAccount, authority] = await Promise.all([
        tokenAccountAddress(payer, mint, tokenProgram),
        tokenAccountAddress(receiver, mint, tokenProgram),
        authorityAddress(payer, mint),
      ]);
      return { ...term, payerTokenAccount, authority, receiverTokenAccount, receiverIsMissing: false };
    }),
  );
}
