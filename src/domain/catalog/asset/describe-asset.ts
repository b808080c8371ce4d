import type { ClusterConfig } from '../../../config/cluster-config.ts';
import { type AssetName, KNOWN_ASSETS } from './known-assets.ts';

/** The description of a token on pages. Its decimals are read separately. */
export interface Asset {
  readonly mint: string;
  /** Null for an unknown token. */
  readonly symbol: string | null;
  /** Null for an unknown token. */
  readonly name: string | null;
  /** Null if the configuration names none. */
  readonly logoUrl: string | null;
  /** Whether this is the token of plans that name none. */
  readonly isDefault: boolean;
}

/** The name of the default token, which is the USDC of the cluster, whatever its mint is. */
const USDC: AssetName = { symbol: 'USDC', name: 'USD Coin' };

/**
 * Describes a token. Names in the configuration override those of well-known tokens.
 *
 * @param config undefined if the environment is not configured
 */
export function describeAsset(
  config: Pick<ClusterConfig, 'assets' | 'defaultMint'> | undefined,
  mint: string,
): Asset {
  const isDefault = mint === config?.defaultMint;
  const isToken = (asset: { readonly mint: string }) => asset.mint === mint;
  const named: AssetName | undefined =
    config?.assets?.find(isToken) ?? KNOWN_ASSETS.find(isToken) ?? (isDefault ? USDC : undefined);
  return {
    mint,
    symbol: named?.symbol ?? null,
    name: named?.name ?? null,
    logoUrl: named?.logoUrl ?? null,
    isDefault,
  };
}
