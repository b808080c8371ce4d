/** A token, as the API describes it: `asset { mint symbol decimals }`. */
export interface TokenAsset {
  readonly mint: string;
  /** Null for an unknown token: its mint is shown. */
  readonly symbol?: string | null;
  /** Null while the cluster does not respond: base units are shown. */
  readonly decimals?: number | null;
}

/** https://developers.circle.com/stablecoins/usdc-contract-addresses */
const USDC = ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'];

/** The asset of a mint without a query, for event data, which has only the mint. */
export function knownAsset(mint: string): TokenAsset {
  return USDC.includes(mint) ? { mint, symbol: 'USDC', decimals: 6 } : { mint };
}
