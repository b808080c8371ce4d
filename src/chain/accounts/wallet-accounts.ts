import type { Address } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { authorityAddress, subscriptionAddress, tokenAccountAddress } from './addresses.ts';
import { type ChainAccount, readAccounts } from './read-accounts.ts';

/** A wallet and one of its tokens. */
export interface WalletAsset {
  readonly subscriber: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The addresses of a wallet's approval of the program for one token. */
export interface ApprovalAddresses {
  readonly authority: Address;
  readonly tokenAccount: Address;
}

/** The accounts at these addresses; `undefined` if missing. */
export type ApprovalAccounts = { readonly [Name in keyof ApprovalAddresses]: ChainAccount | undefined };

/** The accounts that decide how a wallet can subscribe to a plan; `undefined` if missing. */
export interface WalletAccounts extends ApprovalAccounts {
  readonly wallet: ChainAccount | undefined;
  readonly subscription: ChainAccount | undefined;
}

export async function approvalAddresses({
  subscriber,
  mint,
  tokenProgram,
}: WalletAsset): Promise<ApprovalAddresses> {
  const [authority, tokenAccount] = await Promise.all([
    authorityAddress(subscriber, mint),
    tokenAccountAddress(subscriber, mint, tokenProgram),
  ]);
  return { authority, tokenAccount };
}

/**
 * Reads all of them in one call, so that a checkout asks the node once.
 *
 * @throws NodeBehind
 */
export async function readWalletAccounts(
  chain: Chain,
  asset: WalletAsset & { readonly plan: Address },
): Promise<WalletAccounts> {
  const { subscriber, plan } = asset;
  const addresses = await approvalAddresses(asset);
  const [wallet, tokenAccount, authority, subscription] = await readAccounts(
    chain,
    [subscriber, addresses.tokenAccount, addresses.authority, await subscriptionAddress(plan, subscriber)],
    'program',
  );
  return { wallet, tokenAccount, authority, subscription };
}
