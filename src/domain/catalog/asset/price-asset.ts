import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { knownDecimals, mintDecimals } from '../../../chain/accounts/mint-decimals.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { describeAsset } from './describe-asset.ts';

/** The token of a price. */
export interface PriceAsset {
  /** Symbol for people; null for a token that is known only by its mint. */
  readonly name: string | null;
  readonly decimals: number;
}

/** Describes the token of a price. Decimals that are not known yet are read from the cluster. */
export async function priceAsset(
  ctx: AppContext,
  environment: Environment,
  mint: string,
): Promise<PriceAsset> {
  const known = knownPriceAsset(ctx, environment, mint);
  if (known) return known;
  const decimals = await mintDecimals(chainOf(ctx, environment), address(mint));
  return { name: describeAsset(ctx.config.clusters[environment], mint).symbol, decimals };
}

/**
 * Describes the token of a price without calling the cluster; null if its decimals are not known.
 */
export function knownPriceAsset(
  { config }: Pick<AppContext, 'config'>,
  environment: Environment,
  mint: string,
): PriceAsset | null {
  const cluster = config.clusters[environment];
  const decimals = knownDecimals(cluster, address(mint));
  return decimals === undefined ? null : { name: describeAsset(cluster, mint).symbol, decimals };
}
