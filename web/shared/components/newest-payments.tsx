import { Link } from '@tanstack/react-router';
import type { FailureCode, PaymentStatus } from '../../generated/graphql.ts';
import type { TokenAmount } from '../money/token-amount.ts';
import { payments as text } from '../text/payments.ts';
import { DateOnly } from '../time/time.tsx';
import { Card } from './card.tsx';
import { type Column, DataTable, rowLinkClass } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { PaymentAmount, PaymentStatusCell } from './payment-cells.tsx';

interface NewestPayment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly failureCode?: FailureCode | null;
  readonly amount: string;
  readonly paidAmount: string | null;
  readonly refundedAmount: string;
  readonly dueAt: string;
}

interface NewestPaymentsProps<Payment> {
  readonly payments: {
    readonly totalCount: number;
    readonly edges: readonly { readonly node: Payment }[];
  };
  /** The filter of the linked payment list: this customer or subscription. */
  readonly filter: { readonly customer: string } | { readonly subscription: string };
  readonly tokenOf: (payment: Payment) => Omit<TokenAmount, 'amount'>;
  /** The column before the amount. */
  readonly column: Column<Payment>;
}

/** The newest payments of a customer or a subscription, with a link to all. */
export function NewestPayments<Payment extends NewestPayment>(props: NewestPaymentsProps<Payment>) {
  const { payments, filter, tokenOf, column } = props;
  const columns: readonly Column<Payment>[] = [
    {
      header: text.due,
      cell: ({ id, dueAt }) => (
        <Link to="/payments/$id" params={{ id }} className={rowLinkClass}>
          <DateOnly at={dueAt} />
        </Link>
      ),
    },
    {
      header: text.status,
      cell: (payment) => <PaymentStatusCell {...payment} />,
    },
    column,
    {
      header: text.amount,
      align: 'end',
      cell: (payment) => (
        <PaymentAmount
          amount={payment.amount}
          paidAmount={payment.paidAmount}
          refundedAmount={payment.refundedAmount}
          {...tokenOf(payment)}
        />
      ),
    },
  ];
  return (
    <Card
      flush
      title={text.title}
      actions={
        payments.totalCount > 0 && (
          <Link to="/payments" search={filter}>
            {text.viewAll(payments.totalCount)}
          </Link>
        )
      }
    >
      <DataTable
        label={text.title}
        columns={columns}
        rows={payments.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        isInCard
        empty={
          <EmptyState icon="payments" title={text.empty}>
            {text.firstHint}
          </EmptyState>
        }
      />
    </Card>
  );
}
