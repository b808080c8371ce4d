import { USDC_MINT } from '../localnet/genesis.ts';
import type { Localnet } from '../localnet/localnet.ts';
import { type ClusterConfig, COLLECTING_DEFAULTS } from '../src/config/cluster-config.ts';

export type ClusterUrls = Pick<Localnet, 'rpcUrl' | 'geyserUrl'>;

/** The configuration of a local network's cluster. */
export function localCluster({ rpcUrl, geyserUrl }: ClusterUrls, collectorKey: Uint8Array): ClusterConfig {
  return {
    rpcUrl,
    yellowstoneUrl: geyserUrl,
    yellowstoneToken: undefined,
    defaultMint: USDC_MINT,
    collectorKey,
    ...COLLECTING_DEFAULTS,
    // Rents are of test money, and merchants have just been created.
    paysRentAfterDays: 0,
  };
}
