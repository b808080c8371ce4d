import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../access/chain-of.ts';
import { type ChainName, chainNameOf } from './chains.ts';
import { explorerUrlOf } from './explorer-url.ts';

/** The cluster of an environment, for pages that link to it and for wallets. */
export interface ClusterFacts {
  readonly chain: ChainName;
  /** With `{path}` for `tx/<signature>` or `address/<address>`. */
  readonly explorerUrl: string;
  readonly genesisHash: string;
  readonly isLocal: boolean;
}

/**
 * @throws BillingError invalid_request if the environment is not configured; ClusterUnusable while
 *   its cluster was never reached
 */
export async function getCluster(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain' | 'away'>,
  environment: Environment,
): Promise<ClusterFacts> {
  const genesisHash = await genesisHashOf(ctx, environment);
  const chain = chainNameOf(genesisHash);
  const { config } = chainOf(ctx, environment);
  return {
    chain,
    explorerUrl: explorerUrlOf(config, chain),
    genesisHash,
    isLocal: chain === 'solana:localnet',
  };
}

/** The hash is written down when a cluster is first reached, so that its nodes are not asked. */
async function genesisHashOf(
  ctx: Pick<AppContext, 'db' | 'chain' | 'away'>,
  environment: Environment,
): Promise<string> {
  const known = await ctx.db.cluster.findUnique({ where: { environment } });
  return known?.genesisHash ?? chainOf(ctx, environment).rpc.getGenesisHash().send();
}
