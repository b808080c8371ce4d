import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventRowsQuery } from '../../../generated/graphql.ts';
import { isLive } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useEvents } from '../../../shared/api/live.tsx';
import { askOptions } from '../../../shared/api/query.ts';
import { dayRange, pageVariables } from '../../../shared/api/search-params.ts';
import { Button } from '../../../shared/components/button.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { type Filter, FilterBar } from '../../../shared/components/filter-bar.tsx';
import { NothingFound } from '../../../shared/components/nothing-found.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SavedViews } from '../../../shared/components/saved-views.tsx';
import { events as text } from '../../../shared/text/events.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { TriggerEvent } from './trigger-event.tsx';

const EVENTS = graphql(/* GraphQL */ `
  query EventRows(
    $type: String
    $subscriptionId: ID
    $from: DateTime
    $to: DateTime
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    events(
      type: $type
      subscriptionId: $subscriptionId
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
  {
    name: 'type',
    kind: 'select',
    label: text.type,
    options: Object.entries(eventNames).map(([value, label]) => ({ value, label })),
  },
  { name: 'subscription', kind: 'text', label: text.subscription, placeholder: text.subscriptionPlaceholder },
  { name: 'from', kind: 'date', label: text.from },
  { name: 'to', kind: 'date', label: text.to },
];

function EventsPage() {
  const search = api.useSearch();
  const { after: _, before: __, ...filters } = search;
  const navigate = useNavigate({ from: '/events' });
  const [isPaused, setPaused] = useState(false);
  const [held, setHeld] = useState(0);
  useEvents(({ type }) => {
    if (isPaused && (search.type === undefined || search.type === type)) setHeld((count) => count + 1);
  });
  const resume = () => {
    setPaused(false);
    setHeld(0);
  };
  const show = (changed: typeof search) => {
    // A paused list is not read, and other filters need another list.
    resume();
    void navigate({ search: changed });
  };
  const filter = {
    type: search.type ?? null,
    subscriptionId: search.subscription ?? null,
    ...dayRange(search),
  };
  const variables = { ...filter, ...pageVariables(search) };
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(EVENTS, variables, {
      live: ['subscription.', 'endpoint.'],
      keepsPrevious: true,
      enabled: !isPaused,
    }),
  );
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <>
          <SavedViews list="events" search={search} onOpen={show} />
          <ExportButton kind="events" filters={filter} total={data?.events.totalCount} />
          {!isLive && <TriggerEvent />}
          <Button onClick={() => (isPaused ? resume() : setPaused(true))}>
            {!isPaused ? text.pause : held === 0 ? text.resume : text.held(held)}
          </Button>
        </>
      }
      queries={[{ document: EVENTS, variables }]}
    >
      <FilterBar
        filters={FILTERS}
        values={search}
        onChange={(changed) => show({ ...filters, ...changed } as typeof search)}
      />
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={data?.events.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.events.pageInfo}
        totalCount={data?.events.totalCount}
        onPage={(position) => show({ ...filters, ...position })}
        empty={
          Object.values(filter).some((value) => value !== null) ? (
            <NothingFound onClear={() => show({})} />
          ) : (
            <EmptyState icon="events" title={text.empty}>
              {text.emptyHint}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
