import type { OfferData } from '../../../src/api/pages/page-data.ts';
import { lengthText } from '../../../src/domain/catalog/money/duration-text.ts';
import { priceText } from '../../../src/domain/catalog/money/price-text.ts';
import { offer as text } from '../../shared/text/offer.ts';

/** For how long the price with the discount applies, and what is paid then: `for 3 months, then 10.00 USDC`. */
export function discountText({ discount, token, intervalSeconds }: OfferData): string | null {
  if (!discount || !token) return null;
  const full = priceText(token, BigInt(discount.fullAmount));
  return discount.periods === null
    ? text.insteadOf(full)
    : text.thenFull(lengthText(discount.periods * intervalSeconds), full);
}
