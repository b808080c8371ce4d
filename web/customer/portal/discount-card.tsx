import type { SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Card } from '../../shared/components/card.tsx';
import { formatDiscount } from '../../shared/money/discount-value.ts';
import { portal } from '../../shared/text/portal.ts';
import { formatDate } from '../shared/dates.ts';
import { priceOf } from './price.ts';

const text = portal.discount;

/** What the discount takes off, until when, and the price after it. */
export function DiscountCard({ subscription }: { readonly subscription: SubscriptionDetailAnswer }) {
  const { discount, plan } = subscription;
  if (!discount) return null;
  const { name, fullAmount, periodsLeft, fullPriceAt } = discount;
  const value = formatDiscount(discount, plan.asset);
  const price = priceOf(subscription, fullAmount);
  return (
    <Card title={text.title}>
      <p>
        {periodsLeft === null
          ? text.always(name, value)
          : fullPriceAt === null
            ? text.left(name, value, periodsLeft, price)
            : text.until(name, value, formatDate(fullPriceAt), price)}
      </p>
    </Card>
  );
}
