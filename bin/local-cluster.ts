import { USDC_MINT } from '../localnet/genesis.ts';
import type { Localnet } from '../localnet/localnet.ts';
import { type ClusterConfig, COLLECTING_DEFAULTS } from '../src/config/cluster-config.ts';

/** The configuration of a local network's cluster. */
export function localCluster(
  { rpcUrl, geyserUrl }: Pick<Localnet, 'rpcUrl' | 'geyserUrl'>,
  collectorKey: Uint8Array,
): ClusterConfig {
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
