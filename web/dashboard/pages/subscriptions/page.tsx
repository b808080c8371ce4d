import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { SubscriptionRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePlanOptions } from '../../../shared/api/plan-options.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { dayFilters, optionsOf } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { useList } from '../../../shared/components/use-list.ts';
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
          nextAmount
          accessUntil
          cancelAtPeriodEnd
          paymentCount
          walletAddress
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

const REASON: Filter<'failure'> = {
  name: 'failure',
  kind: 'select',
  label: text.reason,
  options: optionsOf(failures, FAILURES),
};

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
    cell: ({ nextAmount, plan: { name, mint, asset, interval } }) => (
      <>
        {name}
        <span className="block text-xs text-soft">
          <Amount amount={nextAmount} mint={mint} asset={asset} /> {formatInterval(interval)}
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
  const navigate = api.useNavigate();
  const plans = usePlanOptions(search.plan);
  const filter = {
    status: search.status ?? null,
    // The renewal filter alone leaves out subscriptions that have already ended.
    statuses: search.renewal && !search.status ? [...COLLECTED] : null,
    cancelAtPeriodEnd: search.renewal ? search.renewal === 'ENDS' : null,
    planId: search.plan ?? null,
    search: search.search ?? null,
    failureCode: search.failure ?? null,
    ...dayRange(search),
  };
  const list = useList({
    document: SUBSCRIPTIONS,
    variables: { filter, orderBy: search.order ?? null },
    connectionOf: ({ subscriptionsConnection }) => subscriptionsConnection,
    live: ['subscription.'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  const hasReason = search.status === 'PAST_DUE' || search.failure !== undefined;
  return (
    <ListPage
      name="subscriptions"
      list={list}
      text={text}
      filters={[
        { name: 'search', kind: 'text', label: text.search, placeholder: text.searchPlaceholder },
        { name: 'plan', kind: 'select', label: text.plan, options: plans },
        {
          name: 'renewal',
          kind: 'select',
          label: text.renewal,
          options: [
            { value: 'ENDS', label: text.ends },
            { value: 'RENEWS', label: text.renews },
          ],
        },
        ...(hasReason ? [REASON] : []),
        ...dayFilters(text),
        {
          name: 'order',
          kind: 'select',
          label: text.order,
          unset: text.newestFirst,
          options: [{ value: 'NEXT_PAYMENT', label: text.nextFirst }],
        },
      ]}
      columns={COLUMNS}
      rowKey={({ lifeId }) => lifeId}
      exported={{
        kind: 'subscriptions',
        filters: {
          ...filter,
          status: search.status?.toLowerCase(),
          statuses: filter.statuses?.join(',').toLowerCase(),
          cancelAtPeriodEnd: filter.cancelAtPeriodEnd?.toString(),
          failureCode: search.failure?.toLowerCase(),
        },
      }}
      icon="subscriptions"
      begin={
        <Link to="/plans" className={buttonClass('primary')}>
          {text.toPlans}
        </Link>
      }
    >
      <StatusTabs />
    </ListPage>
  );
}
