/**
 * A member's Wallet Standard wallet in every page, like that of an extension. Its key stays in the
 * test.
 */
import { getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import type { BrowserContext } from 'playwright-core';
import { type SignInRequest, signInWithWallet } from '../support/sign-in-wallet.ts';

export const MEMBER_WALLET = 'Member Wallet';

/**
 * Puts a wallet with `solana:signIn` and `solana:signAndSendTransaction` into every page of a browser.
 *
 * @param send signs a transaction in base64, sends it and returns its signature in base58
 */
export async function injectMemberWallet(
  context: BrowserContext,
  wallet: KeyPairSigner,
  send: (transaction: string) => Promise<string>,
): Promise<void> {
  await context.exposeFunction('askToSignIn', async (request: SignInRequest) => {
    const { signedMessage, signature } = await signInWithWallet(wallet, request);
    return { signedMessage, signature };
  });
  await context.exposeFunction('askToSend', (transaction: string) =>
    send(transaction).then(
      (signature) => ({ signature: [...getBase58Encoder().encode(signature)] }),
      // Errors lose their message when they pass into a page.
      (error: Error) => ({ refusal: error.message }),
    ),
  );
  await context.addInitScript(register, { name: MEMBER_WALLET, address: wallet.address });
}

/** Runs in the page, without access to this file. */
function register({ name, address }: { readonly name: string; readonly address: string }): void {
  const page = globalThis as unknown as {
    askToSignIn(request: object): Promise<{ signedMessage: string; signature: string }>;
    askToSend(transaction: string): Promise<{ signature: number[]; refusal?: string }>;
    addEventListener(type: string, listener: (event: { detail: (wallet: object) => void }) => void): void;
    dispatchEvent(event: Event): void;
  };
  const bytes = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const chains = ['solana:localnet', 'solana:mainnet'];
  const account = { address, publicKey: new Uint8Array(32), chains, features: [] };
  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0d9488"/></svg>')}`,
    chains,
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signIn': {
        version: '1.0.0',
        signIn: async (request: object) => {
          const signed = await page.askToSignIn(request);
          return [
            { account, signedMessage: bytes(signed.signedMessage), signature: bytes(signed.signature) },
          ];
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const sent = await page.askToSend(btoa(String.fromCharCode(...transaction)));
          if (sent.refusal !== undefined) throw new Error(sent.refusal);
          return [{ signature: Uint8Array.from(sent.signature) }];
        },
      },
    },
  };
  const registerWith = (api: { register(wallet: object): void }) => api.register(wallet);
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerWith }));
  page.addEventListener('wallet-standard:app-ready', ({ detail }) => registerWith(detail as never));
}
