import type { Discount, Plan } from '../../../generated/prisma/client.ts';
import { discountedPrice } from '../../catalog/money/discounted-price.ts';

/**
 * The session with its plan at the price of the first payment: that of the session after its discount.
 */
export function atFirstPrice<T extends { readonly plan: Plan; readonly discount: Discount | null }>(
  session: T,
): T {
  const { plan, discount } = session;
  if (!discount) return session;
  return { ...session, plan: { ...plan, amount: discountedPrice(plan.amount, discount) } };
}
