import type { DbTransaction } from '../../../db/db.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import type { BookedSubscription } from './book.ts';
import { discountEnd } from './discount-at.ts';

/** The discount that a subscription gets. */
export interface GrantedDiscount {
  readonly redemptionId: string;
  /** Index of the first payment that it reduces. */
  readonly from: bigint;
  /** Number of payments; null for all. */
  readonly periods: number | null;
  /** The waivers of the subscription that have not ended; none by default. */
  readonly waivers?: BookedSubscription['waivers'];
}

/** The columns of a subscription with this discount, or with none. */
export function discountColumns(discount: GrantedDiscount | null) {
  if (!discount) return { discountRedemptionId: null, discountFrom: null, discountUntil: null };
  const { redemptionId, periods, waivers = [] } = discount;
  const from = Number(discount.from);
  return {
    discountRedemptionId: redemptionId,
    discountFrom: from,
    discountUntil: periods === null ? null : discountEnd(waivers, from, periods),
  };
}

/**
 * Gives a subscription a discount, or takes it away, under the caller's lock. A release that does not know
 * discounts no longer collects it.
 */
export async function writeDiscount(
  tx: Pick<DbTransaction, '$executeRaw'>,
  subscriptionId: string,
  discount: GrantedDiscount | null,
): Promise<void> {
  const { discountRedemptionId, discountFrom, discountUntil } = discountColumns(discount);
  await tx.$executeRaw`
    UPDATE "Subscription" SET "discountRedemptionId" = ${discountRedemptionId}::uuid,
      "discountFrom" = ${discountFrom}::int, "discountUntil" = ${discountUntil}::int,
      "lineSources" = "lineSources" | ${discount ? LINE_SOURCES.DISCOUNT : 0}::int
    WHERE "id" = ${subscriptionId}::uuid`;
}
