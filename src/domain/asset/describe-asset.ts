import type { ClusterConfig } from '../../config/cluster-config.ts';
import { type AssetName, KNOWN_ASSETS } from './known-assets.ts';

/** A token as pages show it. Its decimals are read separately. */
export interface Asset {
  readonly mint: string;
  /** Null for an unknown token. */
  readonly symbol: string | null;
  /** Null for an unknown token. */
  readonly name: string | null;
  /** Null if the configuration names none. */
  readonly logoUrl: string | null;
  /** Whether plans are priced in it unless they name another token. */
  readonly isDefault: boolean;
}

/** The default token is configured as the cluster's USDC, whatever its mint is. */
const USDC: AssetName = { symbol: 'USDC', name: 'USD Coin' };

/**
 * The names of a token: those of the configuration first, then those of well-known tokens.
 *
 * @param config undefined if the environment is not configured
 */
export function describeAsset(
  config: Pick<ClusterConfig, 'assets' | 'defaultMint'> | undefined,
  mint: string,
): Asset {
  const isDefault = mint === config?.defaultMint;
  const has = (each: { readonly mint: string }) => each.mint === mint;
  const named: AssetName | undefined =
    config?.assets?.find(has) ?? KNOWN_ASSETS.find(has) ?? (isDefault ? USDC : undefined);
  return {
    mint,
    symbol: named?.symbol ?? null,
    name: named?.name ?? null,
    logoUrl: named?.logoUrl ?? null,
    isDefault,
  };
}
