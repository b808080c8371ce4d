import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { SubscriptionRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePlanNames } from '../../../shared/api/plan-names.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { dayRange, pageVariables } from '../../../shared/api/search-params.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { type Filter, FilterBar } from '../../../shared/components/filter-bar.tsx';
import { NothingFound } from '../../../shared/components/nothing-found.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SavedViews } from '../../../shared/components/saved-views.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { failures } from '../../../shared/text/statuses.ts';
import { subscriptions as text } from '../../../shared/text/subscriptions.ts';
import { formatInterval } from '../../../shared/time/duration.ts';
import { DateOnly, RelativeTime } from '../../../shared/time/time.tsx';
import { COLLECTED, FAILURES } from './search.ts';
import { StatusTabs } from './status-tabs.tsx';

const SUBSCRIPTIONS = graphql(/* GraphQL */ `
  query SubscriptionRows(
    $filter: SubscriptionFilter
    $orderBy: SubscriptionOrder
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    subscriptionsConnection(
      filter: $filter
      orderBy: $orderBy
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
          lifeId
          status
          createdAt
          nextPaymentAt
          accessUntil
          cancelAtPeriodEnd
          paymentCount
          walletAddress
          customer {
            email
          }
          plan {
            name
            amount
            mint
            asset {
              mint
              symbol
              decimals
            }
            interval
          }
        }
      }
    }
  }
`);

type Subscription = SubscriptionRowsQuery['subscriptionsConnection']['edges'][number]['node'];

export const route = createLazyRoute('/app/subscriptions')({ component: SubscriptionsPage });

const api = getRouteApi('/app/subscriptions');

const COLUMNS: readonly Column<Subscription>[] = [
  {
    header: text.customer,
    cell: ({ lifeId, customer, walletAddress }) => (
      <>
        <Link to="/subscriptions/$id" params={{ id: lifeId }} className={rowLinkClass}>
          {customer.email}
        </Link>
        <span className="block text-xs text-soft">
          <ShortId value={walletAddress} copies={false} />
        </span>
      </>
    ),
  },
  { header: text.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: text.plan,
    cell: ({ plan: { name, amount, mint, asset, interval } }) => (
      <>
        {name}
        <span className="block text-xs text-soft">
          <Amount amount={amount} mint={mint} asset={asset} /> {formatInterval(interval)}
        </span>
      </>
    ),
  },
  {
    header: text.nextPayment,
    cell: ({ nextPaymentAt, cancelAtPeriodEnd, accessUntil }) => {
      if (cancelAtPeriodEnd && accessUntil) {
        return (
          <span className="text-soft">
            {text.endsAtPeriodEnd} <DateOnly at={accessUntil} />
          </span>
        );
      }
      return nextPaymentAt ? <RelativeTime at={nextPaymentAt} /> : <span className="text-soft">–</span>;
    },
  },
  {
    header: text.paid,
    align: 'end',
    wideOnly: true,
    cell: ({ paymentCount }) => text.payments(paymentCount),
  },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];

function SubscriptionsPage() {
  const search = api.useSearch();
  const navigate = useNavigate({ from: '/subscriptions' });
  const planNames = usePlanNames();
  const filter = {
    status: search.status ?? null,
    // Without a status, those that have ended that way long ago are left out.
    statuses: search.renewal && !search.status ? [...COLLECTED] : null,
    cancelAtPeriodEnd: search.renewal ? search.renewal === 'ENDS' : null,
    planId: search.plan ?? null,
    search: search.search ?? null,
    failureCode: search.failure ?? null,
    ...dayRange(search),
  };
  const variables = { filter, orderBy: search.order ?? null, ...pageVariables(search) };
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(SUBSCRIPTIONS, variables, { live: ['subscription.'], keepsPrevious: true }),
  );
  const list = data?.subscriptionsConnection;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const filters: readonly Filter<'search' | 'plan' | 'renewal' | 'failure' | 'from' | 'to' | 'order'>[] = [
    { name: 'search', kind: 'text', label: text.search, placeholder: text.searchPlaceholder },
    {
      name: 'plan',
      kind: 'select',
      label: text.plan,
      options: planNames.map(({ planId, name }) => ({ value: planId, label: name })),
    },
    {
      name: 'renewal',
      kind: 'select',
      label: text.renewal,
      options: [
        { value: 'ENDS', label: text.ends },
        { value: 'RENEWS', label: text.renews },
      ],
    },
    ...(search.status === 'PAST_DUE' || search.failure
      ? [
          {
            name: 'failure' as const,
            kind: 'select' as const,
            label: text.reason,
            options: FAILURES.map((value) => ({ value, label: failures[value] })),
          },
        ]
      : []),
    { name: 'from', kind: 'date', label: text.from },
    { name: 'to', kind: 'date', label: text.to },
    {
      name: 'order',
      kind: 'select',
      label: text.order,
      unset: text.newestFirst,
      options: [{ value: 'NEXT_PAYMENT', label: text.nextFirst }],
    },
  ];
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <>
          <SavedViews list="subscriptions" search={search} onOpen={(saved) => navigate({ search: saved })} />
          <ExportButton
            kind="subscriptions"
            total={list?.totalCount}
            filters={{
              status: search.status?.toLowerCase(),
              statuses: filter.statuses?.join(',').toLowerCase(),
              cancelAtPeriodEnd: filter.cancelAtPeriodEnd?.toString(),
              planId: search.plan,
              search: search.search,
              failureCode: search.failure?.toLowerCase(),
              from: filter.from,
              to: filter.to,
            }}
          />
        </>
      }
      queries={[{ document: SUBSCRIPTIONS, variables }]}
    >
      <StatusTabs />
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
        rows={list?.edges.map(({ node }) => node)}
        rowKey={({ lifeId }) => lifeId}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={list?.pageInfo}
        totalCount={list?.totalCount}
        onPage={(position) =>
          void navigate({ search: ({ after: _, before: __, ...old }) => ({ ...old, ...position }) })
        }
        empty={
          isFiltered ? (
            <NothingFound onClear={() => void navigate({ search: {} })} />
          ) : (
            <EmptyState
              icon="subscriptions"
              title={text.empty}
              actions={
                <Link to="/plans" className={buttonClass('primary')}>
                  {text.toPlans}
                </Link>
              }
            >
              {text.emptyHint}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
