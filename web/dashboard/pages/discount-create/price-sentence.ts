import { discountedPrice } from '../../../../src/domain/catalog/money/discounted-price.ts';
import type { TokenAsset } from '../../../shared/money/assets.ts';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { discountForm } from '../../../shared/text/discounts.ts';
import { offer as text } from '../../../shared/text/offer.ts';
import { formatDuration, formatInterval } from '../../../shared/time/duration.ts';

/** A plan as far as its price with a discount needs it. Amounts are in base units. */
export interface DiscountedPlan {
  readonly planId: string;
  readonly name: string;
  readonly amount: string;
  readonly maxAmount: string;
  readonly mint: string;
  readonly asset: TokenAsset;
  /** In seconds. */
  readonly interval: number;
}

/** Either a part of the price in hundredths of a percent, or an amount in base units. */
export interface TypedDiscount {
  readonly percentBps: number | null;
  readonly amount: string | null;
  /** Null for all payments. */
  readonly periods: number | null;
}

/** `5.00 USDC every month for 3 months, then 10.00 USDC; at most 10.00 USDC every month on chain` */
export function priceSentence(plan: DiscountedPlan, { percentBps, amount, periods }: TypedDiscount): string {
  const { mint, asset, interval } = plan;
  const shown = (units: bigint | string) => formatAmount({ amount: String(units), mint, asset });
  const every = formatInterval(interval);
  const value = { percentBps, amount: amount === null ? null : BigInt(amount) };
  const reduced = shown(discountedPrice(BigInt(plan.amount), value));
  const full = shown(plan.amount);
  const rest =
    periods === null ? text.insteadOf(full) : text.thenFull(formatDuration(periods * interval), full);
  return `${reduced} ${every} ${rest}; ${text.atMost(shown(plan.maxAmount))} ${every} ${discountForm.onChain}`;
}
