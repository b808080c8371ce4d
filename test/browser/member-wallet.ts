import { getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import type { BrowserContext } from 'playwright-core';
import { injectWallet } from '../../tools/injected-wallet.ts';
import { type SignInRequest, signInWithWallet } from '../../tools/sign-in-wallet.ts';

export const MEMBER_WALLET = 'Member Wallet';

/**
 * Puts a member's wallet with `solana:signIn` into every page of a browser. Its key stays in the test.
 *
 * @param send signs a transaction in base64, sends it and returns its signature in base58
 */
export function injectMemberWallet(
  context: BrowserContext,
  wallet: KeyPairSigner,
  send: (transaction: string) => Promise<string>,
): Promise<void> {
  return injectWallet(context, {
    name: MEMBER_WALLET,
    address: wallet.address,
    chains: ['solana:localnet', 'solana:mainnet'],
    signIn: (request) => signInWithWallet(wallet, { ...(request as SignInRequest) }),
    approve: async (transaction) => [...getBase58Encoder().encode(await send(transaction))],
  });
}
