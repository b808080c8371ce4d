import type { PriceAsset } from '../../domain/catalog/asset/price-asset.ts';
import type { ShownDiscount } from '../../domain/checkout/session/get-checkout-session.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import type { OfferData } from './page-data.ts';

type Offered = Pick<
  Plan,
  'name' | 'description' | 'amount' | 'maxAmount' | 'intervalSeconds' | 'trialPeriodSeconds'
>;

/**
 * A plan with its price, for a page.
 *
 * @param discount what the customer gets, with its price
 * @param now the time at which customers subscribe; null if none can
 */
export function offerOf(
  plan: Offered,
  token: PriceAsset | null,
  now: Date | null,
  discount: ShownDiscount | null = null,
): OfferData {
  const { name, description, amount, maxAmount, intervalSeconds, trialPeriodSeconds } = plan;
  const untilNext = trialPeriodSeconds || intervalSeconds;
  const nextPaymentAt = now && new Date(now.getTime() + 1_000 * untilNext).toISOString();
  return {
    planName: name,
    description,
    token,
    amount: String(discount ? discount.price : amount),
    discount: discount && { name: discount.name, fullAmount: String(amount), periods: discount.periods },
    maxAmount: String(maxAmount),
    intervalSeconds,
    nextPaymentAt,
  };
}
