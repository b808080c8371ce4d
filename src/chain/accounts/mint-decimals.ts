import type { Address } from '@solana/kit';
import { keepNewest } from '../../async/keep-newest.ts';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import { DEVNET_USDC, MAINNET_USDC } from '../../config/variables/cluster.ts';
import type { Chain } from '../chain.ts';
import { readAccounts } from './read-accounts.ts';

/** Offset of the decimals, after authority and supply. It is the same in both token programs. */
const DECIMALS_AT = 44;
/** Maximum cached mints of a cluster; the oldest is dropped first. */
const MAX_CACHED = 10_000;

/** From https://developers.circle.com/stablecoins/usdc-contract-addresses */
const FIXED_DECIMALS = new Map<Address, number>([
  [DEVNET_USDC, 6],
  [MAINNET_USDC, 6],
]);

/** Decimals read before, by cluster. A mint's decimals never change. */
const decimalsCaches = new WeakMap<ClusterConfig, Map<Address, number>>();

/** Decimals of USDC and of tokens that were read before, without a call to the cluster. */
export function knownDecimals(config: ClusterConfig | undefined, mint: Address): number | undefined {
  return FIXED_DECIMALS.get(mint) ?? (config && decimalsCaches.get(config)?.get(mint));
}

/**
 * Decimals of tokens, in the order of the mints; undefined for a mint that the cluster does not
 * have. Each mint is read once.
 */
export async function readDecimals(chain: Chain, mints: readonly Address[]): Promise<(number | undefined)[]> {
  const { config } = chain;
  const missing = [...new Set(mints)].filter((mint) => knownDecimals(config, mint) === undefined);
  if (missing.length > 0) {
    const accounts = await readAccounts(chain, missing, 'fields');
    for (const [index, mint] of missing.entries())
      cacheDecimals(config, mint, accounts[index]?.data[DECIMALS_AT]);
  }
  return mints.map((mint) => knownDecimals(config, mint));
}

/**
 * Decimals of a token.
 *
 * @throws Error if the cluster does not have the mint
 */
export async function mintDecimals(chain: Chain, mint: Address): Promise<number> {
  const [decimals] = await readDecimals(chain, [mint]);
  if (decimals === undefined) throw new Error(`The cluster has no mint ${mint}`);
  return decimals;
}

/**
 * Reads the decimals of a token without the cache, for checks. Undefined if the cluster does not
 * have the mint.
 */
export async function mintDecimalsNow(
  chain: Pick<Chain, 'rpc' | 'minSlot'>,
  mint: Address,
): Promise<number | undefined> {
  const [account] = await readAccounts(chain, [mint], 'fields');
  return account?.data[DECIMALS_AT];
}

function cacheDecimals(config: ClusterConfig, mint: Address, decimals: number | undefined): void {
  if (decimals === undefined) return;
  const decimalsByMint = decimalsCaches.get(config) ?? new Map<Address, number>();
  decimalsCaches.set(config, decimalsByMint);
  keepNewest(decimalsByMint, mint, decimals, MAX_CACHED);
}
