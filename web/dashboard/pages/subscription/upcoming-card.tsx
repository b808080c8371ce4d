import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { plan as planText } from '../../../shared/text/plan.ts';
import { subscription as text } from '../../../shared/text/subscriptions.ts';
import { formatInterval } from '../../../shared/time/duration.ts';
import { Time } from '../../../shared/time/time.tsx';
import { priceOf, type SubscriptionDetail } from './subscription-detail.ts';

/** The next payment with its lines, and what is left of a limit above the price. */
export function UpcomingCard({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { plan, upcomingPayment, limitLeft } = subscription;
  if (!upcomingPayment) return null;
  const { dueAt, lines, total } = upcomingPayment;
  const { mint, asset, maxAmount, interval } = plan;
  const hasLimit = BigInt(maxAmount) > BigInt(priceOf(subscription));
  const amountOf = (amount: string) => <Amount amount={amount} mint={mint} asset={asset} />;
  return (
    <Card title={text.upcoming}>
      <Facts
        facts={[
          { label: text.due, value: <Time at={dueAt} /> },
          ...(lines.length > 1
            ? lines.map(({ text: label, amount }) => ({ label, value: amountOf(amount) }))
            : []),
          { label: lines.length > 1 ? text.total : text.amount, value: amountOf(total) },
          {
            label: text.limit,
            value:
              hasLimit &&
              planText.atMost(formatAmount({ amount: maxAmount, mint, asset }), formatInterval(interval)),
          },
          {
            label: text.limitLeft,
            value: hasLimit && limitLeft !== null && (
              <>
                {amountOf(limitLeft)}
                <span className="block text-xs text-soft">{text.limitLeftHint}</span>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
