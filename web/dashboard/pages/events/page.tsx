import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventRowsQuery } from '../../../generated/graphql.ts';
import { isLive } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useEvents } from '../../../shared/api/live.tsx';
import { dayRange } from '../../../shared/api/search-params.ts';
import { Button } from '../../../shared/components/button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { dayFilters, isSubscription, optionsOf } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { events as text } from '../../../shared/text/events.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { TriggerEvent } from './trigger-event.tsx';

const EVENTS = graphql(/* GraphQL */ `
  query EventRows($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {
    events(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
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
          type
          createdAt
          sequence
          data
        }
      }
    }
  }
`);

type EventRow = EventRowsQuery['events']['edges'][number]['node'];

interface EventSubject {
  readonly customer?: { readonly email?: string };
  readonly url?: string;
}

export const route = createLazyRoute('/app/events')({ component: EventsPage });

const api = getRouteApi('/app/events');

const COLUMNS: readonly Column<EventRow>[] = [
  {
    header: text.event,
    cell: ({ id, type }) => (
      <>
        <Link to="/events/$id" params={{ id }} className={rowLinkClass}>
          {eventNames[type] ?? type}
        </Link>
        <code className="block font-mono text-xs text-soft">{type}</code>
      </>
    ),
  },
  {
    header: text.subject,
    cell: ({ data }) => {
      const { customer, url } = data as EventSubject;
      return customer?.email ?? url ?? <span className="text-soft">–</span>;
    },
  },
  {
    header: text.sequence,
    align: 'end',
    wideOnly: true,
    cell: ({ sequence }) => sequence ?? <span className="text-soft">–</span>,
  },
  { header: text.happened, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const FILTERS: readonly Filter<'type' | 'subscription' | 'from' | 'to'>[] = [
  { name: 'type', kind: 'select', label: text.type, options: optionsOf(eventNames) },
  {
    name: 'subscription',
    kind: 'text',
    label: text.subscription,
    placeholder: text.subscriptionPlaceholder,
    isWhole: isSubscription,
  },
  ...dayFilters(text),
];

function EventsPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const [isPaused, setPaused] = useState(false);
  const [held, setHeld] = useState(0);
  useEvents(({ type }) => {
    if (isPaused && (search.type === undefined || search.type === type)) setHeld((count) => count + 1);
  });
  const resume = () => {
    setPaused(false);
    setHeld(0);
  };
  const filter = {
    type: search.type ?? null,
    subscriptionId: search.subscription ?? null,
    ...dayRange(search),
  };
  const list = useList({
    document: EVENTS,
    variables: { filter },
    connectionOf: ({ events }) => events,
    live: ['subscription.', 'endpoint.'],
    enabled: !isPaused,
    search,
    onSearch: (change, replace) => {
      // A paused list is not read, but other filters need other rows.
      resume();
      return navigate({ search: change, replace });
    },
  });
  return (
    <ListPage
      name="events"
      list={list}
      text={text}
      filters={FILTERS}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      exported={{ kind: 'events', filters: filter }}
      actions={
        <>
          {!isLive && <TriggerEvent />}
          <Button onClick={() => (isPaused ? resume() : setPaused(true))}>
            {!isPaused ? text.pause : held === 0 ? text.resume : text.held(held)}
          </Button>
        </>
      }
      icon="events"
    />
  );
}
