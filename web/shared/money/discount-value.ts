import type { TokenAsset } from './assets.ts';
import { formatAmount } from './token-amount.ts';

interface DiscountValue {
  /** Part of the price in hundredths of a percent; null for a fixed amount. */
  readonly percentBps: number | null;
  /** Fixed amount in base units; null for a part of the price. */
  readonly amount: string | null;
}

const BPS = 10_000;

/** What a discount takes off: `12.5%`, `2.00 USDC`. */
export function formatDiscount({ percentBps, amount }: DiscountValue, token: TokenAsset | null): string {
  if (percentBps !== null) {
    const format = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });
    return format.format(percentBps / BPS);
  }
  return token && amount !== null ? formatAmount({ amount, mint: token.mint, asset: token }) : '';
}
