import type { BookedDiscount, BookedSubscription } from './book.ts';

/** The discount of a subscription's payment `index`; null if it has none. */
export function discountAt(
  { discount }: Pick<BookedSubscription, 'discount'>,
  index: bigint,
): BookedDiscount | null {
  if (!discount || index < discount.from) return null;
  return discount.until === null || index < discount.until ? discount : null;
}

/** Number of payments from `index` on that a discount reduces; null if it never ends. */
export function periodsLeft(
  { from, until }: Pick<BookedDiscount, 'from' | 'until'>,
  index: bigint,
): number | null {
  if (until === null) return null;
  return Math.max(0, until - Math.max(from, Number(index)));
}
