import { Link } from '@tanstack/react-router';
import type { DeliveryRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { dayFilters, isSubscription, optionsOf } from '../../../shared/components/filter-options.ts';
import { ListView } from '../../../shared/components/list-view.tsx';
import { SavedViews } from '../../../shared/components/saved-views.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { type SearchChange, useList } from '../../../shared/components/use-list.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { statuses } from '../../../shared/text/statuses.ts';
import { deliveries as text, webhooks } from '../../../shared/text/webhooks.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { DELIVERY_STATUSES, type deliveriesSearch } from './search.ts';
import { DELIVERY } from './use-delivery-updates.ts';

const DELIVERIES = graphql(/* GraphQL */ `
  query DeliveryRows($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {
    webhookDeliveries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
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
          createdAt
          attemptCount
          nextAttemptAt
          isReplay
          attempts {
            statusCode
            error
          }
          event {
            type
          }
          endpoint {
            url
          }
        }
      }
    }
  }
`);

type Delivery = DeliveryRowsQuery['webhookDeliveries']['edges'][number]['node'];
type Search = ReturnType<typeof deliveriesSearch>;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    header: text.event,
    cell: ({ id, event: { type }, isReplay }) => (
      <>
        <Link to="/deliveries/$id" params={{ id }} className={rowLinkClass}>
          {eventNames[type] ?? type}
        </Link>{' '}
        {isReplay && <Badge>{text.replayed}</Badge>}
        <code className="block font-mono text-xs text-soft">{type}</code>
      </>
    ),
  },
  { header: text.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: text.response,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      if (!last) return <span className="text-soft">–</span>;
      return last.statusCode ?? <span title={last.error ?? undefined}>{text.noResponse}</span>;
    },
  },
  {
    header: text.attempts,
    align: 'end',
    wideOnly: true,
    cell: ({ attemptCount }) => text.attemptCount(attemptCount),
  },
  { header: text.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const ENDPOINT: Column<Delivery> = {
  header: text.endpoint,
  wideOnly: true,
  cell: ({ endpoint }) => <span className="text-soft">{endpoint.url}</span>,
};

const FILTERS: readonly Filter<'status' | 'type' | 'code' | 'subscription' | 'from' | 'to'>[] = [
  { name: 'status', kind: 'select', label: text.status, options: optionsOf(statuses, DELIVERY_STATUSES) },
  { name: 'type', kind: 'select', label: text.event, options: optionsOf(eventNames) },
  {
    name: 'code',
    kind: 'text',
    label: text.code,
    placeholder: '503',
    isShort: true,
    isWhole: (code) => /^\d{3}$/.test(code),
  },
  {
    name: 'subscription',
    kind: 'text',
    label: text.subscription,
    placeholder: text.subscriptionPlaceholder,
    isWhole: isSubscription,
  },
  ...dayFilters(text),
];

interface DeliveriesProps {
  /** Null for all endpoints. */
  readonly endpointId: string | null;
  readonly search: Search;
  readonly onSearch: SearchChange<Search>;
}

/** The deliveries with their filters. The list is refetched after each attempt. */
export function Deliveries({ endpointId, search, onSearch }: DeliveriesProps) {
  const list = useList({
    document: DELIVERIES,
    variables: {
      filter: {
        endpointId,
        status: search.status ?? null,
        eventType: search.type ?? null,
        statusCode: search.code === undefined ? null : Number(search.code),
        subscriptionId: search.subscription ?? null,
        ...dayRange(search),
      },
    },
    connectionOf: ({ webhookDeliveries }) => webhookDeliveries,
    live: [DELIVERY],
    search,
    onSearch,
  });
  const [first, ...others] = COLUMNS;
  return (
    <section aria-label={webhooks.deliveries} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-1">
        <div>
          <h2 className="text-base font-semibold">{webhooks.deliveries}</h2>
          <p className="text-soft">{webhooks.deliveriesHint}</p>
        </div>
        <div className="max-sm:-ml-3">
          <SavedViews list="deliveries" search={search} onOpen={list.open} />
        </div>
      </div>
      <ListView
        list={list}
        label={webhooks.deliveries}
        filters={FILTERS}
        columns={endpointId || !first ? COLUMNS : [first, ENDPOINT, ...others]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="webhooks" title={text.empty}>
            {text.emptyHint}
          </EmptyState>
        }
      />
    </section>
  );
}
