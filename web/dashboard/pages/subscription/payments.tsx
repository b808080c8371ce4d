import { Link } from '@tanstack/react-router';
import { Card } from '../../../shared/components/card.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { OnChain } from '../../../shared/components/explorer-link.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { payments as words } from '../../../shared/text/payments.ts';
import { failures } from '../../../shared/text/statuses.ts';
import { subscription as text } from '../../../shared/text/subscriptions.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import type { SubscriptionDetail } from './detail.ts';

type Payment = SubscriptionDetail['payments']['edges'][number]['node'];

/** The newest payments of the subscription, with a link to all. */
export function Payments({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { payments, plan, lifeId } = subscription;
  const columns: readonly Column<Payment>[] = [
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
    {
      header: words.transaction,
      wideOnly: true,
      cell: ({ signature }) =>
        signature ? <OnChain kind="tx" value={signature} /> : <span className="text-soft">–</span>,
    },
    {
      header: words.amount,
      align: 'end',
      cell: ({ amount }) => <Amount amount={amount} mint={plan.mint} asset={plan.asset} />,
    },
  ];
  return (
    <Card
      flush
      title={text.payments}
      actions={
        payments.totalCount > 0 && (
          <Link to="/payments" search={{ subscription: lifeId }}>
            {words.viewAll(payments.totalCount)}
          </Link>
        )
      }
    >
      <DataTable
        label={text.payments}
        columns={columns}
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
