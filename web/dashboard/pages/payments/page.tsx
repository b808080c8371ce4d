import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { PaymentRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePlanOptions } from '../../../shared/api/plan-options.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { dayFilters, optionsOf } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { PaymentAmount, PaymentStatusCell } from '../../../shared/components/payment-cells.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { payments as text } from '../../../shared/text/payments.ts';
import { failures, statuses } from '../../../shared/text/statuses.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { FAILURES } from '../subscriptions/search.ts';
import { PAYMENT_STATUSES } from './search.ts';

const PAYMENTS = graphql(/* GraphQL */ `
  query PaymentRows($filter: PaymentFilter, $first: Int, $after: String, $last: Int, $before: String) {
    payments(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          status
          amount
          paidAmount
          refundedAmount
          dueAt
          paidAt
          signature
          failureCode
          subscription {
            customer {
              email
            }
            plan {
              name
              mint
              asset {
                mint
                symbol
                decimals
              }
            }
          }
        }
      }
    }
  }
`);

type Payment = PaymentRowsQuery['payments']['edges'][number]['node'];

export const route = createLazyRoute('/app/payments')({ component: PaymentsPage });

const api = getRouteApi('/app/payments');

const COLUMNS: readonly Column<Payment>[] = [
  {
    header: text.customer,
    cell: ({ id, subscription: { customer } }) => (
      <Link to="/payments/$id" params={{ id }} className={rowLinkClass}>
        {customer.email}
      </Link>
    ),
  },
  {
    header: text.status,
    cell: (payment) => <PaymentStatusCell {...payment} />,
  },
  { header: text.plan, wideOnly: true, cell: ({ subscription: { plan } }) => plan.name },
  { header: text.due, cell: ({ dueAt }) => <DateOnly at={dueAt} /> },
  {
    header: text.transaction,
    wideOnly: true,
    cell: ({ signature }) =>
      signature ? <OnChain kind="tx" value={signature} /> : <span className="text-soft">–</span>,
  },
  {
    header: text.amount,
    align: 'end',
    cell: ({ amount, paidAmount, refundedAmount, subscription: { plan } }) => (
      <PaymentAmount {...{ amount, paidAmount, refundedAmount }} mint={plan.mint} asset={plan.asset} />
    ),
  },
];

function PaymentsPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const plans = usePlanOptions(search.plan);
  const filter = {
    status: search.status ?? null,
    planId: search.plan ?? null,
    subscriptionId: search.subscription ?? null,
    customer: search.customer ?? null,
    failureCode: search.failure ?? null,
    ...dayRange(search),
  };
  const list = useList({
    document: PAYMENTS,
    variables: { filter },
    connectionOf: ({ payments }) => payments,
    live: ['subscription.'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  return (
    <ListPage
      name="payments"
      list={list}
      text={text}
      description={
        search.subscription === undefined ? undefined : (
          <>
            {text.ofSubscription}.{' '}
            <Link to="/subscriptions/$id" params={{ id: search.subscription }}>
              {text.viewSubscription}
            </Link>
          </>
        )
      }
      filters={[
        { name: 'customer', kind: 'text', label: text.search, placeholder: text.searchPlaceholder },
        {
          name: 'status',
          kind: 'select',
          label: text.status,
          options: optionsOf(statuses, PAYMENT_STATUSES),
        },
        { name: 'plan', kind: 'select', label: text.plan, options: plans },
        { name: 'failure', kind: 'select', label: text.reason, options: optionsOf(failures, FAILURES) },
        ...dayFilters(text),
      ]}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      exported={{
        kind: 'payments',
        filters: {
          ...filter,
          status: search.status?.toLowerCase(),
          failureCode: search.failure?.toLowerCase(),
        },
      }}
      icon="payments"
    />
  );
}
