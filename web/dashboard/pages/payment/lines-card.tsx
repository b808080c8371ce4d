import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { payment as text } from '../../../shared/text/payments.ts';
import { amountOf, type PaymentDetail } from './payment.ts';

/** What the payment consists of; nothing for a payment that was recorded without lines. */
export function LinesCard({ payment }: { readonly payment: PaymentDetail }) {
  const { amount, paidAmount, lines } = payment;
  if (lines.length === 0) return null;
  return (
    <Card title={text.lines}>
      <Facts
        facts={[
          ...lines.map((line) => ({
            label: `${line.text} (${text.lineKinds[line.kind]})`,
            value: amountOf(payment, line.amount),
          })),
          { label: text.owed, value: amountOf(payment, amount) },
          {
            label: text.paidAmount,
            value: paidAmount !== null && paidAmount !== amount && amountOf(payment, paidAmount),
          },
        ]}
      />
    </Card>
  );
}
