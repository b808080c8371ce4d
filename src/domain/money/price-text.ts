import type { PriceAsset } from '../asset/price-asset.ts';
import { toDecimal } from './decimal-amount.ts';

/** A price for people: `5.00 USDC`. */
export function priceText(asset: PriceAsset, amount: bigint): string {
  return `${toDecimal(amount, asset.decimals)} ${tokenName(asset)}`;
}

/** What people call the token; `tokens` if it is known only by its mint. */
export function tokenName(asset: PriceAsset | null): string {
  return asset?.name ?? 'tokens';
}
