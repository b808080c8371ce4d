// The parts of the Wallet Standard and of its Solana features that the wallet has:
// https://github.com/wallet-standard/wallet-standard and
// https://github.com/anza-xyz/wallet-standard.

export type Bytes = Uint8Array<ArrayBuffer>;

export interface WalletAccount {
  readonly address: string;
  readonly publicKey: Bytes;
  readonly chains: readonly string[];
  readonly features: readonly string[];
  readonly label: string;
}

/** The fields of a sign-in message; https://github.com/phantom/sign-in-with-solana. */
export interface SignInInput {
  readonly domain?: string;
  readonly address?: string;
  readonly statement?: string;
  readonly uri?: string;
  readonly version?: string;
  readonly chainId?: string;
  readonly nonce?: string;
  readonly issuedAt?: string;
  readonly expirationTime?: string;
  readonly notBefore?: string;
  readonly requestId?: string;
  readonly resources?: readonly string[];
}

export interface SignMessageInput {
  readonly account: WalletAccount;
  readonly message: Bytes;
}

export interface SignTransactionInput {
  readonly account: WalletAccount;
  readonly transaction: Bytes;
  readonly chain?: string;
  readonly options?: {
    readonly preflightCommitment?: string;
    readonly minContextSlot?: number;
    readonly skipPreflight?: boolean;
    readonly maxRetries?: number;
  };
}

/** The object with which a wallet registers itself in a page. */
interface Registry {
  register(wallet: object): void;
}

/** Registers a wallet in the page. The wallet and the page's app may load in either order. */
export function registerWallet(wallet: object): void {
  const register = (registry: Registry) => registry.register(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  addEventListener('wallet-standard:app-ready', (event) => {
    register((event as CustomEvent<Registry>).detail);
  });
}
