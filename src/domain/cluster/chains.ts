/** Names of clusters in the Wallet Standard. */
export type ChainName = 'solana:mainnet' | 'solana:devnet' | 'solana:localnet';

/** By the result of `getGenesisHash`. Source: https://solana.com/docs/references/clusters */
const BY_GENESIS: Readonly<Record<string, ChainName>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
};

/** The cluster with this genesis hash; any other one is local. */
export function chainNameOf(genesisHash: string): ChainName {
  return BY_GENESIS[genesisHash] ?? 'solana:localnet';
}
