import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { getCluster } from '../../chain-state/cluster/get-cluster.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { assetDecimals } from './asset-decimals.ts';
import { type Asset, describeAsset } from './describe-asset.ts';
import { KNOWN_ASSETS } from './known-assets.ts';

/**
 * Lists the tokens in which a plan may be priced: the default token, then configured tokens, then
 * well-known tokens of this cluster. Apart from the default, a token whose decimals cannot be read
 * is left out.
 *
 * @throws the errors of `getCluster`
 */
export async function listAssets(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain' | 'away' | 'log'>,
  environment: Environment,
): Promise<Asset[]> {
  const { chain } = await getCluster(ctx, environment);
  const { config } = chainOf(ctx, environment);
  const configured = config.assets?.map(({ mint }) => mint) ?? [];
  const wellKnown = KNOWN_ASSETS.filter((asset) => asset.chain === chain).map(({ mint }) => mint);
  const mints = [...new Set([config.defaultMint, ...configured, ...wellKnown])];
  const decimals = await assetDecimals(ctx, environment, mints);
  return mints
    .filter((mint, index) => mint === config.defaultMint || decimals[index] !== null)
    .map((mint) => describeAsset(config, mint));
}
