import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { PaymentRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePlanNames } from '../../../shared/api/plan-names.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { dayRange, pageVariables } from '../../../shared/api/search-params.ts';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { OnChain } from '../../../shared/components/explorer-link.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { type Filter, FilterBar } from '../../../shared/components/filter-bar.tsx';
import { NothingFound } from '../../../shared/components/nothing-found.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SavedViews } from '../../../shared/components/saved-views.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { payments as text } from '../../../shared/text/payments.ts';
import { failures, statuses } from '../../../shared/text/statuses.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { FAILURES } from '../subscriptions/search.ts';
import { PAYMENT_STATUSES } from './search.ts';

const PAYMENTS = graphql(/* GraphQL */ `
  query PaymentRows(
    $status: PaymentStatus
    $planId: String
    $subscriptionId: ID
    $customer: String
    $failureCode: FailureCode
    $from: DateTime
    $to: DateTime
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    payments(
      status: $status
      planId: $planId
      subscriptionId: $subscriptionId
      customer: $customer
      failureCode: $failureCode
      from: $from
      to: $to
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
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
    cell: ({ status, failureCode }) => (
      <>
        <StatusBadge status={status} />
        {status !== 'SUCCEEDED' && failureCode && (
          <span className="block text-xs text-soft">{failures[failureCode]}</span>
        )}
      </>
    ),
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
    cell: ({ amount, subscription: { plan } }) => (
      <Amount amount={amount} mint={plan.mint} asset={plan.asset} />
    ),
  },
];

function PaymentsPage() {
  const search = api.useSearch();
  const navigate = useNavigate({ from: '/payments' });
  const planNames = usePlanNames();
  const filter = {
    status: search.status ?? null,
    planId: search.plan ?? null,
    subscriptionId: search.subscription ?? null,
    customer: search.customer ?? null,
    failureCode: search.failure ?? null,
    ...dayRange(search),
  };
  const variables = { ...filter, ...pageVariables(search) };
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(PAYMENTS, variables, { live: ['subscription.'], keepsPrevious: true }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const filters: readonly Filter<'customer' | 'status' | 'plan' | 'failure' | 'from' | 'to'>[] = [
    { name: 'customer', kind: 'text', label: text.search, placeholder: text.searchPlaceholder },
    {
      name: 'status',
      kind: 'select',
      label: text.status,
      options: PAYMENT_STATUSES.map((value) => ({ value, label: statuses[value] })),
    },
    {
      name: 'plan',
      kind: 'select',
      label: text.plan,
      options: planNames.map(({ planId, name }) => ({ value: planId, label: name })),
    },
    {
      name: 'failure',
      kind: 'select',
      label: text.reason,
      options: FAILURES.map((value) => ({ value, label: failures[value] })),
    },
    { name: 'from', kind: 'date', label: text.from },
    { name: 'to', kind: 'date', label: text.to },
  ];
  return (
    <Page
      title={text.title}
      description={
        search.subscription ? (
          <>
            {text.ofSubscription}.{' '}
            <Link to="/subscriptions/$id" params={{ id: search.subscription }}>
              {text.viewSubscription}
            </Link>
          </>
        ) : (
          text.description
        )
      }
      actions={
        <>
          <SavedViews list="payments" search={search} onOpen={(saved) => navigate({ search: saved })} />
          <ExportButton
            kind="payments"
            total={data?.payments.totalCount}
            filters={{
              status: search.status?.toLowerCase(),
              planId: search.plan,
              subscriptionId: search.subscription,
              customer: search.customer,
              failureCode: search.failure?.toLowerCase(),
              from: filter.from,
              to: filter.to,
            }}
          />
        </>
      }
      queries={[{ document: PAYMENTS, variables }]}
    >
      <FilterBar
        filters={filters}
        values={search}
        onChange={(changed) =>
          void navigate({
            search: ({ after: _, before: __, ...old }) => ({ ...old, ...changed }) as typeof search,
          })
        }
      />
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={data?.payments.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.payments.pageInfo}
        totalCount={data?.payments.totalCount}
        onPage={(position) =>
          void navigate({ search: ({ after: _, before: __, ...old }) => ({ ...old, ...position }) })
        }
        empty={
          isFiltered ? (
            <NothingFound onClear={() => void navigate({ search: {} })} />
          ) : (
            <EmptyState icon="payments" title={text.empty}>
              {text.emptyHint}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
