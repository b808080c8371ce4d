import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { knownDecimals, readDecimals } from '../../../chain/accounts/mint-decimals.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';

/**
 * Reads the decimals of tokens, in the order of the mints. They are null for a mint that is not on
 * the cluster, or that was never read while the cluster does not respond. Amounts are then shown in
 * base units.
 */
export async function assetDecimals(
  ctx: Pick<AppContext, 'config' | 'chain' | 'away' | 'log'>,
  environment: Environment,
  mints: readonly string[],
): Promise<(number | null)[]> {
  const config = ctx.config.clusters[environment];
  const addresses = mints.map((mint) => address(mint));
  const known = () => addresses.map((mint) => knownDecimals(config, mint) ?? null);
  if (known().every((decimals) => decimals !== null)) return known();
  try {
    await readDecimals(chainOf(ctx, environment), addresses);
  } catch (err) {
    ctx.log.warn({ err, environment }, 'decimals of tokens not read');
  }
  return known();
}
