import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
} from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import type { StandardConnectFeature } from '@wallet-standard/features';
import { useSyncExternalStore } from 'react';

type Features = Partial<
  StandardConnectFeature &
    SolanaSignInFeature &
    SolanaSignMessageFeature &
    SolanaSignAndSendTransactionFeature
>;

export type SolanaWallet = Wallet & { readonly features: Features };

const { get, on } = getWallets();

let known: readonly SolanaWallet[] = readWallets();

/** The Solana wallets that have registered by the Wallet Standard. */
function readWallets(): readonly SolanaWallet[] {
  return get().filter(({ chains }) => chains.some((chain) => chain.startsWith('solana:'))) as never;
}

function subscribe(onChange: () => void): () => void {
  const update = () => {
    known = readWallets();
    onChange();
  };
  // A wallet may have registered since the first read.
  update();
  const stops = [on('register', update), on('unregister', update)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The wallets in this browser. */
export function useWallets(): readonly SolanaWallet[] {
  return useSyncExternalStore(subscribe, () => known);
}

/**
 * Connects a wallet.
 *
 * @throws Error with the wallet's message, or if it has no account
 */
export async function connect(wallet: SolanaWallet): Promise<WalletAccount> {
  const [existing] = wallet.accounts;
  if (existing) return existing;
  const connected = await wallet.features['standard:connect']?.connect();
  const [account] = connected?.accounts ?? wallet.accounts;
  if (!account) throw new Error(`${wallet.name} has no account.`);
  return account;
}

/**
 * Asks a wallet to connect, so that its owner can choose, and returns the account on a chain of the
 * Wallet Standard; undefined if it has none.
 *
 * @throws Error with the wallet's message
 */
export async function connectOn(wallet: SolanaWallet, chain: string): Promise<WalletAccount | undefined> {
  await wallet.features['standard:connect']?.connect();
  return wallet.accounts.find(({ chains }) => chains.includes(chain as `solana:${string}`));
}

/** Whether a wallet can sign and send on a chain of the Wallet Standard. */
export function canSendOn({ chains, features }: SolanaWallet, chain: string): boolean {
  return chains.includes(chain as `solana:${string}`) && 'solana:signAndSendTransaction' in features;
}

/**
 * Connects the account that must sign. A wallet that is connected with another account is asked
 * once more, so that its owner can choose.
 *
 * @throws WrongAccount if the wallet still has only other accounts; Error with the wallet's message
 */
export async function connectAccount(wallet: SolanaWallet, address: string): Promise<WalletAccount> {
  const find = () => wallet.accounts.find((account) => account.address === address);
  if (find() === undefined) await wallet.features['standard:connect']?.connect();
  const account = find();
  if (!account) throw new WrongAccount(wallet.accounts[0]?.address);
  return account;
}

/** The wallet connected an account other than the one that must sign. */
export class WrongAccount extends Error {
  readonly connected: string | undefined;

  constructor(connected: string | undefined) {
    super('The wallet connected another account.');
    this.name = 'WrongAccount';
    this.connected = connected;
  }
}

/**
 * Signs and sends a transaction from the API.
 *
 * @param transaction base64, from the API
 * @param chain `solana:devnet`, `solana:mainnet`
 * @returns the signature's bytes
 * @throws Error with the wallet's message
 */
export async function signAndSend(
  wallet: SolanaWallet,
  account: WalletAccount,
  transaction: string,
  chain: `solana:${string}`,
): Promise<Uint8Array> {
  const feature = wallet.features['solana:signAndSendTransaction'];
  if (!feature) throw new Error(`${wallet.name} cannot send transactions.`);
  const bytes = Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0));
  const [sent] = await feature.signAndSendTransaction({
    account,
    chain,
    transaction: bytes,
    // The same commitment as its blockhash, which is not finalized yet.
    options: { preflightCommitment: 'confirmed' },
  });
  if (!sent) throw new Error(`${wallet.name} did not send the transaction.`);
  return Uint8Array.from(sent.signature);
}
