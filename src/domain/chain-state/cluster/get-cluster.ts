import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { type ChainName, chainNameOf } from './chain-name.ts';
import { explorerUrlOf } from './explorer-url.ts';

/**
 * The public facts about an environment's cluster, for wallets and for pages with explorer links.
 */
export interface ClusterFacts {
  readonly chain: ChainName;
  /** URL with `{path}` for `tx/<signature>` or `address/<address>`. */
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
  const genesisHash = await readGenesisHash(ctx, environment);
  const chain = chainNameOf(genesisHash);
  const { config } = chainOf(ctx, environment);
  return {
    chain,
    explorerUrl: explorerUrlOf(config, chain),
    genesisHash,
    isLocal: chain === 'solana:localnet',
  };
}

/**
 * Reads the stored hash. It is stored when a cluster is first reached, so that no node is called.
 */
async function readGenesisHash(
  ctx: Pick<AppContext, 'db' | 'chain' | 'away'>,
  environment: Environment,
): Promise<string> {
  const stored = await ctx.db.cluster.findUnique({ where: { environment } });
  return stored?.genesisHash ?? chainOf(ctx, environment).rpc.getGenesisHash().send();
}
