/** Names of clusters in the Wallet Standard. */
export type ChainName = 'solana:mainnet' | 'solana:devnet' | 'solana:localnet';

/** The names by genesis hash. Source: https://solana.com/docs/references/clusters */
const NAMES_BY_GENESIS_HASH: Readonly<Record<string, ChainName>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
};

/**
 * Returns the name of the cluster with this genesis hash. An unknown hash means a local network.
 */
export function chainNameOf(genesisHash: string): ChainName {
  return NAMES_BY_GENESIS_HASH[genesisHash] ?? 'solana:localnet';
}
