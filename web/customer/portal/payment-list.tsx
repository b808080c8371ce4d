import { useState } from 'react';
import type {
  PaymentAnswer,
  PaymentsAnswer,
  SubscriptionDetailAnswer,
} from '../../../src/api/portal/answers.ts';
import { Badge, type Tone } from '../../shared/components/badge.tsx';
import { Card } from '../../shared/components/card.tsx';
import { netAmount, refundedPart } from '../../shared/money/refunded.ts';
import { formatAmount } from '../../shared/money/token-amount.ts';
import { portal } from '../../shared/text/portal.ts';
import { askJson } from '../shared/ask-json.ts';
import { formatDate } from '../shared/dates.ts';
import { Failed } from '../shared/failed.tsx';
import { MoreButton } from '../shared/more-button.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { OnChain } from './permit-card.tsx';
import { tokensOf } from './price.ts';

const text = portal.payments;

const TONES: Readonly<Record<PaymentAnswer['status'], Tone>> = {
  SUCCEEDED: 'good',
  DUE: 'accent',
  FAILED: 'neutral',
  MISSED: 'neutral',
  WAIVED: 'neutral',
};

/** The payments of a subscription, newest first, with their transactions. */
export function PaymentList({ subscription }: { readonly subscription: SubscriptionDetailAnswer }) {
  const path = `/api/portal/subscriptions/${subscription.id}/payments`;
  const { data, error, reload } = useAnswer<PaymentsAnswer>(path);
  const [older, setOlder] = useState<PaymentsAnswer>();
  if (error) {
    return (
      <Card title={text.title}>
        <Failed error={error} onRetry={reload} />
      </Card>
    );
  }
  if (!data) return null;
  const shown = [...data.payments, ...(older?.payments ?? [])];
  const showMore = async () => {
    const next = await askJson<PaymentsAnswer>(`${path}?before=${shown.at(-1)?.id}`);
    setOlder({ payments: [...(older?.payments ?? []), ...next.payments], hasMore: next.hasMore });
  };
  return (
    <Card title={text.title}>
      {shown.length === 0 && <p className="text-soft">{text.none}</p>}
      <ul className="divide-y divide-line">
        {shown.map(({ id, status, amount, refundedAmount, dueAt, paidAt, signature, lines, receiptUrl }) => (
          <li key={id} className="py-2.5 first:pt-0 last:pb-0">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <time dateTime={paidAt ?? dueAt}>{formatDate(paidAt ?? dueAt)}</time>
              <span className="flex items-baseline gap-3">
                <Status status={status} amount={amount} refundedAmount={refundedAmount} />
                <span className="whitespace-nowrap tabular-nums">
                  {formatAmount(tokensOf(subscription, netAmount(amount, refundedAmount)))}
                </span>
              </span>
            </span>
            <span className="flex flex-wrap gap-x-3 text-sm">
              {refundedAmount !== '0' && (
                <span className="text-soft">
                  {text.refund(
                    formatAmount(tokensOf(subscription, refundedAmount)),
                    formatAmount(tokensOf(subscription, amount)),
                  )}
                </span>
              )}
              {lines.length > 1 &&
                lines.map((line) => (
                  <span key={line.text} className="text-soft">
                    {line.text} {formatAmount(tokensOf(subscription, line.amount))}
                  </span>
                ))}
              {receiptUrl && <a href={receiptUrl}>{text.receipt}</a>}
              {signature && (
                <OnChain path={`tx/${signature}`} cluster={subscription.cluster}>
                  {text.proof}
                </OnChain>
              )}
            </span>
          </li>
        ))}
      </ul>
      {(older ?? data).hasMore && <MoreButton onMore={showMore} />}
    </Card>
  );
}

function Status({
  status,
  amount,
  refundedAmount,
}: Pick<PaymentAnswer, 'status' | 'amount' | 'refundedAmount'>) {
  const part = refundedPart(amount, refundedAmount);
  if (part) return <Badge>{part === 'ALL' ? text.refunded : text.partlyRefunded}</Badge>;
  return <Badge tone={TONES[status]}>{text[status]}</Badge>;
}
