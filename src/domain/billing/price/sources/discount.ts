import { discountedPrice } from '../../../catalog/money/discounted-price.ts';
import { totalOf } from '../line.ts';
import type { DiscountValue, LineSource, PriceFacts } from '../line-source.ts';

/** The discount that applies to the payment, if there is one. */
export const discountSource: LineSource<Pick<PriceFacts, 'discount'>> = ({ discount }, before) => {
  if (!discount) return [];
  const price = totalOf(before);
  const amount = discountedPrice(price, discount) - price;
  return amount < 0n ? [{ kind: 'DISCOUNT', text: discount.name, amount }] : [];
};

/** A discount counts in the recurring revenue while it reduces at least so many payments. */
const MIN_RECURRING = 2;

/**
 * The price that counts in the recurring revenue.
 *
 * @param left the number of payments that the discount still reduces; null for all
 */
export function recurringPrice(price: bigint, discount: DiscountValue | null, left: number | null): bigint {
  const recurs = discount && (left === null || left >= MIN_RECURRING);
  return recurs ? discountedPrice(price, discount) : price;
}
