import { toDecimal } from './decimal-amount.ts';

/** What a price shows of its token. */
interface PricedToken {
  /** Null for a token that is known only by its mint. */
  readonly name: string | null;
  readonly decimals: number;
}

/** Formats a price: `5.00 USDC`. */
export function priceText(asset: PricedToken, amount: bigint): string {
  return `${toDecimal(amount, asset.decimals)} ${tokenName(asset)}`;
}

/** Returns the name of the token for people, or `tokens` if it has none. */
export function tokenName(asset: PricedToken | null): string {
  return asset?.name ?? 'tokens';
}
