import type { Address } from '@solana/kit';
import { keepNewest } from '../../async/keep-newest.ts';
import { type ClusterConfig, DEVNET_USDC, MAINNET_USDC } from '../../config/cluster-config.ts';
import type { Chain } from '../chain.ts';
import { readAccounts } from './read-accounts.ts';

/** Offset after authority and supply, the same in both token programs. */
const DECIMALS_AT = 44;
/** Maximum mints of a cluster whose decimals are kept; the oldest is dropped first. */
const MAX_CACHED = 10_000;

/**
 * https://developers.circle.com/stablecoins/usdc-contract-addresses; a mint's decimals never
 * change.
 */
const KNOWN = new Map<Address, number>([
  [DEVNET_USDC, 6],
  [MAINNET_USDC, 6],
]);

/** Decimals read before, by cluster. They never change. */
const kept = new WeakMap<ClusterConfig, Map<Address, number>>();

/** Decimals of the usual tokens and of those read before, without a call of the cluster. */
export function knownDecimals(config: ClusterConfig | undefined, mint: Address): number | undefined {
  return KNOWN.get(mint) ?? (config && kept.get(config)?.get(mint));
}

/**
 * Decimals of tokens, in the order of the mints; undefined for a mint that the cluster does not
 * have. Each mint is read once.
 */
export async function readDecimals(chain: Chain, mints: readonly Address[]): Promise<(number | undefined)[]> {
  const { config } = chain;
  const missing = [...new Set(mints)].filter((mint) => knownDecimals(config, mint) === undefined);
  if (missing.length > 0) {
    const accounts = await readAccounts(chain, missing);
    for (const [index, mint] of missing.entries()) keep(config, mint, accounts[index]?.data[DECIMALS_AT]);
  }
  return mints.map((mint) => knownDecimals(config, mint));
}

/** Decimals of a token. */
export async function mintDecimals(chain: Chain, mint: Address): Promise<number> {
  const [decimals] = await readDecimals(chain, [mint]);
  if (decimals === undefined) throw new Error(`The cluster has no mint ${mint}`);
  return decimals;
}

/** The same read now, for checks; undefined for a mint that the cluster does not have. */
export async function mintDecimalsNow(
  chain: Pick<Chain, 'rpc' | 'minSlot'>,
  mint: Address,
): Promise<number | undefined> {
  const [account] = await readAccounts(chain, [mint]);
  return account?.data[DECIMALS_AT];
}

function keep(config: ClusterConfig, mint: Address, decimals: number | undefined): void {
  if (decimals === undefined) return;
  const ofCluster = kept.get(config) ?? new Map<Address, number>();
  kept.set(config, ofCluster);
  keepNewest(ofCluster, mint, decimals, MAX_CACHED);
}
