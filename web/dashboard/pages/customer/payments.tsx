import { Link } from '@tanstack/react-router';
import { Card } from '../../../shared/components/card.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { customers as text } from '../../../shared/text/customers.ts';
import { payments as words } from '../../../shared/text/payments.ts';
import { failures } from '../../../shared/text/statuses.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import type { CustomerDetail } from './detail.ts';

type Payment = CustomerDetail['payments']['edges'][number]['node'];

const COLUMNS: readonly Column<Payment>[] = [
  {
    header: words.due,
    cell: ({ id, dueAt }) => (
      <Link to="/payments/$id" params={{ id }} className={rowLinkClass}>
        <DateOnly at={dueAt} />
      </Link>
    ),
  },
  {
    header: words.status,
    cell: ({ status, failureCode }) => (
      <>
        <StatusBadge status={status} />
        {status !== 'SUCCEEDED' && failureCode && (
          <span className="block text-xs text-soft">{failures[failureCode]}</span>
        )}
      </>
    ),
  },
  { header: words.plan, cell: ({ subscription }) => subscription.plan.name },
  {
    header: words.amount,
    align: 'end',
    cell: ({ amount, subscription: { plan } }) => (
      <Amount amount={amount} mint={plan.mint} asset={plan.asset} />
    ),
  },
];

/** The newest payments of all subscriptions of the customer, with a link to all. */
export function CustomerPayments({ customer: { email, payments } }: { readonly customer: CustomerDetail }) {
  return (
    <Card
      flush
      title={text.payments}
      actions={
        payments.totalCount > 0 && (
          <Link to="/payments" search={{ customer: email }}>
            {words.viewAll(payments.totalCount)}
          </Link>
        )
      }
    >
      <DataTable
        label={text.payments}
        columns={COLUMNS}
        rows={payments.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        isInCard
        empty={
          <EmptyState icon="payments" title={text.noPayments}>
            {text.noPaymentsHint}
          </EmptyState>
        }
      />
    </Card>
  );
}
