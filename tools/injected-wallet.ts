/**
 * A Wallet Standard wallet in every page, as a browser extension adds it. Its key stays outside the
 * browser.
 */
import type { BrowserContext } from 'playwright-core';

export interface InjectedWallet {
  readonly name: string;
  readonly address: string;
  /** Wallet Standard names of the clusters that the wallet supports. */
  readonly chains: readonly string[];
  /** Asks the owner whether the page may read the address. Default: it may, before it asks. */
  connect?(): Promise<void>;
  /** Signs a sign-in request of the page. Its answer is in base64. Default: the wallet cannot. */
  signIn?(request: object): Promise<SignedIn>;
  /**
   * Asks the owner to approve a transaction in base64, then signs and sends it. Returns the
   * signature.
   */
  approve(transaction: string): Promise<number[]>;
}

interface SignedIn {
  readonly signedMessage: string;
  readonly signature: string;
}

export async function injectWallet(context: BrowserContext, wallet: InjectedWallet): Promise<void> {
  const { name, address, chains } = wallet;
  await context.exposeFunction('askToConnect', () => catchRefusal(wallet.connect?.() ?? Promise.resolve()));
  await context.exposeFunction('askToSignIn', (request: object) => wallet.signIn?.(request));
  await context.exposeFunction('askToApprove', (transaction: string) =>
    catchRefusal(wallet.approve(transaction)),
  );
  const features = { isConnected: !wallet.connect, signsIn: wallet.signIn !== undefined };
  await context.addInitScript(register, { name, address, chains, ...features });
}

/** Returns the error as a value, because an error loses its message when it passes into a page. */
async function catchRefusal<T>(request: Promise<T>): Promise<{ value: T } | { refusal: string }> {
  return request.then(
    (value) => ({ value }),
    (error: Error) => ({ refusal: error.message }),
  );
}

interface WalletResponse {
  readonly value: number[];
  readonly refusal?: string;
}

/** Runs in the page, without access to the rest of this file. */
function register({
  name,
  address,
  chains,
  isConnected,
  signsIn,
}: Pick<InjectedWallet, 'name' | 'address' | 'chains'> & {
  readonly isConnected: boolean;
  readonly signsIn: boolean;
}): void {
  const page = globalThis as unknown as {
    askToConnect(): Promise<WalletResponse>;
    askToSignIn(request: object): Promise<SignedIn>;
    askToApprove(transaction: string): Promise<WalletResponse>;
    addEventListener(type: string, listener: (event: { detail: (wallet: object) => void }) => void): void;
    dispatchEvent(event: Event): void;
  };
  const unwrap = async (response: Promise<WalletResponse>) => {
    const { value, refusal } = await response;
    if (refusal !== undefined) throw new Error(refusal);
    return value;
  };
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const account = { address, publicKey: new Uint8Array(32), chains, features: [] };
  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#7c3aed"/><circle cx="16" cy="16" r="7" fill="#fff"/></svg>')}`,
    chains,
    accounts: (isConnected ? [account] : []) as object[],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          await unwrap(page.askToConnect());
          wallet.accounts = [account];
          return { accounts: wallet.accounts };
        },
      },
      ...(signsIn && {
        'solana:signIn': {
          version: '1.0.0',
          signIn: async (request: object) => {
            const { signedMessage, signature } = await page.askToSignIn(request);
            return [{ account, signedMessage: bytesOf(signedMessage), signature: bytesOf(signature) }];
          },
        },
      }),
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const bytes = await unwrap(page.askToApprove(btoa(String.fromCharCode(...transaction))));
          return [{ signature: Uint8Array.from(bytes) }];
        },
      },
    },
  };
  const registerWith = (api: { register(wallet: object): void }) => api.register(wallet);
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerWith }));
  page.addEventListener('wallet-standard:app-ready', ({ detail }) => registerWith(detail as never));
}
