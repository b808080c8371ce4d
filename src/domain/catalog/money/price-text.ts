import type { PriceAsset } from '../asset/price-asset.ts';
import { toDecimal } from './decimal-amount.ts';

/** Formats a price: `5.00 USDC`. */
export function priceText(asset: PriceAsset, amount: bigint): string {
  return `${toDecimal(amount, asset.decimals)} ${tokenName(asset)}`;
}

/** Returns the name of the token for people, or `tokens` if it has none. */
export function tokenName(asset: PriceAsset | null): string {
  return asset?.name ?? 'tokens';
}
