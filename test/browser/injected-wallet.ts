/** A wallet as an extension puts it into every page, by the Wallet Standard; its key stays with the test. */
import type { BrowserContext } from 'playwright-core';

export interface InjectedWallet {
  readonly name: string;
  readonly address: string;
  /** Names of the networks that it works on. */
  readonly chains: readonly string[];
  /** Its owner is asked whether the page may see the address. */
  connect(): Promise<void>;
  /** Its owner is asked to approve a transaction, in base64, which is then signed and sent: the bytes of its signature. */
  approve(transaction: string): Promise<number[]>;
}

export async function injectWallet(context: BrowserContext, wallet: InjectedWallet): Promise<void> {
  const { name, address, chains } = wallet;
  await context.exposeFunction('askToConnect', () => answer(wallet.connect()));
  await context.exposeFunction('askToApprove', (transaction: string) => answer(wallet.approve(transaction)));
  await context.addInitScript(register, { name, address, chains });
}

/** Errors lose their words on the way into a page. */
async function answer<T>(asked: Promise<T>): Promise<{ value: T } | { refusal: string }> {
  return asked.then(
    (value) => ({ value }),
    (error: Error) => ({ refusal: error.message }),
  );
}

interface Asked {
  readonly value: number[];
  readonly refusal?: string;
}

/** Runs in the page, where nothing of this file is known. */
function register({ name, address, chains }: Pick<InjectedWallet, 'name' | 'address' | 'chains'>): void {
  const page = globalThis as unknown as {
    askToConnect(): Promise<Asked>;
    askToApprove(transaction: string): Promise<Asked>;
    addEventListener(type: string, listener: (event: { detail: (wallet: object) => void }) => void): void;
    dispatchEvent(event: Event): void;
  };
  const ask = async (asked: Promise<Asked>) => {
    const { value, refusal } = await asked;
    if (refusal !== undefined) throw new Error(refusal);
    return value;
  };
  const account = { address, publicKey: new Uint8Array(32), chains, features: [] };
  const wallet = {
    version: '1.0.0',
    name,
    icon: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#7c3aed"/><circle cx="16" cy="16" r="7" fill="#fff"/></svg>')}`,
    chains,
    accounts: [] as object[],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          await ask(page.askToConnect());
          wallet.accounts = [account];
          return { accounts: wallet.accounts };
        },
      },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const bytes = await ask(page.askToApprove(btoa(String.fromCharCode(...transaction))));
          return [{ signature: Uint8Array.from(bytes) }];
        },
      },
    },
  };
  const handOver = (api: { register(wallet: object): void }) => api.register(wallet);
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: handOver }));
  page.addEventListener('wallet-standard:app-ready', ({ detail }) => handOver(detail as never));
}
