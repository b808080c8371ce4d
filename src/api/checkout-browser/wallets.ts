// Wallets in a browser register by the Wallet Standard:
// https://github.com/wallet-standard/wallet-standard

export interface WalletAccount {
  readonly address: string;
  readonly chains: readonly string[];
}

export interface Wallet {
  readonly name: string;
  /** A data URL. */
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly WalletAccount[];
  readonly features: {
    readonly 'standard:connect'?: {
      connect(): Promise<{ readonly accounts: readonly WalletAccount[] }>;
    };
    readonly 'solana:signAndSendTransaction'?: {
      signAndSendTransaction(input: {
        readonly account: WalletAccount;
        readonly transaction: Uint8Array;
        readonly chain: string;
        readonly options: { readonly preflightCommitment: 'confirmed' };
      }): Promise<readonly { readonly signature: Uint8Array }[]>;
    };
  };
}

/** The object that a wallet calls to register. */
interface Registry {
  register(...wallets: readonly Wallet[]): () => void;
}

/**
 * Reports each wallet that can approve on this chain, whether it registers before or after the page
 * loads.
 */
export function watchWallets(chain: string, onWallet: (wallet: Wallet) => void): void {
  const reported = new Set<Wallet>();
  const registry: Registry = {
    register(...wallets) {
      for (const wallet of wallets) {
        if (reported.has(wallet) || !canApprove(wallet, chain)) continue;
        reported.add(wallet);
        onWallet(wallet);
      }
      return () => undefined;
    },
  };
  addEventListener('wallet-standard:register-wallet', (event) => {
    (event as CustomEvent<(registry: Registry) => void>).detail(registry);
  });
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: registry }));
}

function canApprove({ chains, features }: Wallet, chain: string): boolean {
  return (
    chains.includes(chain) &&
    features['standard:connect'] !== undefined &&
    features['solana:signAndSendTransaction'] !== undefined
  );
}

/**
 * Connects a wallet and returns the account that its owner shares with the page; undefined without
 * an account on this chain.
 */
export async function connectWallet(wallet: Wallet, chain: string): Promise<WalletAccount | undefined> {
  await wallet.features['standard:connect']?.connect();
  return wallet.accounts.find(({ chains }) => chains.includes(chain));
}

/**
 * Lets the wallet sign and send a transaction that its owner approves, and returns the signature.
 */
export async function approveIn(
  wallet: Wallet,
  account: WalletAccount,
  chain: string,
  transaction: string,
): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
  const [sent] =
    (await wallet.features['solana:signAndSendTransaction']?.signAndSendTransaction({
      account,
      transaction: bytes,
      chain,
      // The same commitment as its blockhash, which is not finalized yet.
      options: { preflightCommitment: 'confirmed' },
    })) ?? [];
  if (!sent) throw new Error('the wallet did not respond');
  return sent.signature;
}
