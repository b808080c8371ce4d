import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { EndpointRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { webhooks as text } from '../../../shared/text/webhooks.ts';
import { DateOnly, RelativeTime } from '../../../shared/time/time.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { Deliveries } from './deliveries.tsx';
import { HealthBadge, healthOf } from './health.tsx';
import { DELIVERY, useDeliveryUpdates } from './use-delivery-updates.ts';

// An environment has at most 20 endpoints.
const ENDPOINTS = graphql(/* GraphQL */ `
  query EndpointRows {
    webhookEndpoints(first: 20) {
      edges {
        node {
          id
          url
          status
          eventTypes
          createdAt
          disabledReason
          failingSince
          pausedUntil
        }
      }
    }
  }
`);

type Endpoint = EndpointRowsQuery['webhookEndpoints']['edges'][number]['node'];

export const route = createLazyRoute('/app/webhooks')({ component: WebhooksPage });

const api = getRouteApi('/app/webhooks');

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    header: text.endpoint,
    cell: ({ id, url }) => (
      <Link to="/webhooks/$id" params={{ id }} className={rowLinkClass}>
        {url}
      </Link>
    ),
  },
  {
    header: text.health,
    cell: (endpoint) => {
      const { since } = healthOf(endpoint);
      return (
        <>
          <HealthBadge endpoint={endpoint} />
          {since && (
            <span className="block text-xs text-soft">
              <RelativeTime at={since} clock="machine" />
            </span>
          )}
        </>
      );
    },
  },
  {
    header: text.receives,
    cell: ({ eventTypes }) => (
      <span title={eventTypes.join('\n') || undefined}>
        {eventTypes.length ? text.types(eventTypes.length) : text.allEvents}
      </span>
    ),
  },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];

function WebhooksPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  useDeliveryUpdates(null);
  const { data, error, refetch } = useQuery(askOptions(ENDPOINTS, {}, { live: [DELIVERY, 'endpoint.'] }));
  const rows = data?.webhookEndpoints.edges.map(({ node }) => node);
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={<AddEndpoint />}
      queries={[{ document: ENDPOINTS, variables: {} }]}
    >
      <div className="grid gap-8">
        <DataTable
          label={text.endpoints}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          error={error}
          onRetry={refetch}
          empty={
            <EmptyState icon="webhooks" title={text.empty}>
              {text.emptyHint}
            </EmptyState>
          }
        />
        {rows && rows.length > 0 && (
          <Deliveries
            endpointId={null}
            search={search}
            onSearch={(change, replace) => navigate({ search: change, replace })}
          />
        )}
      </div>
    </Page>
  );
}
