import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { labels } from '../../../shared/text/labels.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { webhook as text, webhooks } from '../../../shared/text/webhooks.ts';
import { RelativeTime, Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { Deliveries } from '../webhooks/deliveries.tsx';
import { HealthBadge, healthOf } from '../webhooks/health.tsx';
import { DELIVERY, useDeliveryUpdates } from '../webhooks/use-delivery-updates.ts';
import type { EndpointDetail } from './endpoint-detail.ts';
import { Manage } from './manage.tsx';
import { SecretOverlap } from './secret-overlap.tsx';
import { TestDialog } from './test-dialog.tsx';
import { verifySamples } from './verify-samples.ts';

const ENDPOINT = graphql(/* GraphQL */ `
  query EndpointPage($id: ID!) {
    webhookEndpoint(id: $id) {
      id
      url
      status
      eventTypes
      maxPerSecond
      maxConcurrency
      createdAt
      disabledReason
      failingSince
      pausedUntil
      previousSecretUntil
      stats(hours: 24) {
        delivered
        failed
        pending
        p50Ms
        p95Ms
      }
    }
    pending: webhookDeliveries(filter: { endpointId: $id, status: PENDING }, first: 1) {
      totalCount
    }
    failed: webhookDeliveries(filter: { endpointId: $id, status: FAILED }, first: 1) {
      totalCount
    }
  }
`);

export const route = createLazyRoute('/app/webhooks/$id')({ component: EndpointPage });

const api = getRouteApi('/app/webhooks/$id');

function EndpointPage() {
  const { id } = api.useParams();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  useDeliveryUpdates(id);
  const { data, error, refetch } = useQuery(
    askOptions(ENDPOINT, { id }, { live: [DELIVERY, 'endpoint.'], keepsPrevious: true }),
  );
  const endpoint = data?.webhookEndpoint;
  if (data && !endpoint) return <MissingPage />;
  return (
    <Page
      list="webhooks"
      title={endpoint?.url ?? waitingTitle(error)}
      description={endpoint && <EndpointState endpoint={endpoint} />}
      actions={endpoint && <SendTest endpoint={endpoint} />}
      queries={[{ document: ENDPOINT, variables: { id } }]}
    >
      <Loaded thing={endpoint && { endpoint, data }} error={error} onRetry={refetch}>
        {({ endpoint, data: { pending, failed } }) => (
          <div className="grid items-start gap-x-4 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Deliveries
              endpointId={id}
              search={search}
              onSearch={(change, replace) => navigate({ search: change, replace })}
            />
            <div className="grid min-w-0 gap-4 max-lg:order-first">
              <SecretOverlap endpoint={endpoint} />
              <Details endpoint={endpoint} pending={pending.totalCount} failed={failed.totalCount} />
              <Manage endpoint={endpoint} />
            </div>
            <Card title={text.verify} description={text.verifyHint} className="lg:col-span-2">
              <CodeSample samples={verifySamples} />
            </Card>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function EndpointState({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const { hint, since, until } = healthOf(endpoint);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <HealthBadge endpoint={endpoint} />
      <span>
        {since && (
          <>
            {text.since} <RelativeTime at={since} clock="machine" />.{' '}
          </>
        )}
        {until && (
          <>
            {text.until} <RelativeTime at={until} />.{' '}
          </>
        )}
        {hint}
      </span>
    </span>
  );
}

function SendTest({ endpoint: { id, status } }: { readonly endpoint: EndpointDetail }) {
  const permissions = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const reason = !permissions.write ? labels.readOnly : status === 'ENABLED' ? undefined : text.isDisabled;
  return (
    <>
      <Button kind="primary" disabled={reason !== undefined} title={reason} onClick={() => setOpen(true)}>
        {text.sendTest}
      </Button>
      {isOpen && <TestDialog endpointId={id} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DetailsProps {
  readonly endpoint: EndpointDetail;
  readonly pending: number;
  readonly failed: number;
}

function Details({ endpoint, pending, failed }: DetailsProps) {
  const { id, eventTypes, maxPerSecond, maxConcurrency, createdAt, stats } = endpoint;
  const count = (status: 'PENDING' | 'FAILED', value: number) => (
    <Link to="/webhooks/$id" params={{ id }} search={{ status }} className="tabular-nums">
      {new Intl.NumberFormat().format(value)}
    </Link>
  );
  return (
    <Card title={text.details}>
      <Facts
        facts={[
          { label: text.lastDay, value: text.delivered(stats) },
          {
            label: text.duration,
            value: stats.p50Ms !== null && stats.p95Ms !== null && text.durations(stats.p50Ms, stats.p95Ms),
          },
          { label: text.pending, value: count('PENDING', pending) },
          { label: text.failed, value: count('FAILED', failed) },
          {
            label: text.receives,
            value: eventTypes.length
              ? eventTypes.map((type) => (
                  <span key={type} title={type} className="block">
                    {eventNames[type] ?? type}
                  </span>
                ))
              : webhooks.allEvents,
          },
          { label: text.rate, value: maxPerSecond ? text.perSecond(maxPerSecond) : text.noLimit },
          { label: text.concurrency, value: maxConcurrency },
          { label: text.created, value: <Time at={createdAt} /> },
          { label: text.id, value: <ShortId value={id} /> },
        ]}
      />
    </Card>
  );
}
