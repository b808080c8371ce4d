import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { delivery as text } from '../../../shared/text/webhooks.ts';
import { RelativeTime, Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { DELIVERY, useDeliveryUpdates } from '../webhooks/use-delivery-updates.ts';
import { Attempts, type DeliveryAttempt, type DeliveryDetail } from './attempts.tsx';
import { Request } from './request.tsx';
import { ResendButton } from './resend-button.tsx';

const DELIVERY_PAGE = graphql(/* GraphQL */ `
  query DeliveryPage($id: ID!) {
    webhookDelivery(id: $id) {
      id
      status
      createdAt
      nextAttemptAt
      isReplay
      body
      attempts {
        number
        startedAt
        durationMs
        statusCode
        error
        responseBody
        requestHeaders {
          name
          value
        }
      }
      event {
        id
        type
        subscription {
          lifeId
          customer {
            email
          }
        }
      }
      endpoint {
        id
        url
        status
      }
    }
  }
`);

export const route = createLazyRoute('/app/deliveries/$id')({ component: DeliveryPage });

const api = getRouteApi('/app/deliveries/$id');

function DeliveryPage() {
  const { id } = api.useParams();
  useDeliveryUpdates(null);
  const { data, error, refetch } = useQuery({
    ...askOptions(DELIVERY_PAGE, { id }, { live: [DELIVERY] }),
    // The attempt of a test often ends before the stream of this page begins.
    refetchInterval: ({ state }) =>
      state.data?.webhookDelivery?.status === 'PENDING' ? PENDING_INTERVAL_MS : false,
  });
  const [chosen, setChosen] = useState<number>();
  const delivery = data?.webhookDelivery;
  if (data && !delivery) return <MissingPage />;
  const shown = delivery?.attempts.find(({ number }) => number === chosen) ?? delivery?.attempts.at(-1);
  return (
    <Page
      list="webhooks"
      title={delivery ? (eventNames[delivery.event.type] ?? delivery.event.type) : waitingTitle(error)}
      description={delivery && <DeliveryState delivery={delivery} />}
      actions={delivery && <ResendButton id={delivery.id} endpointStatus={delivery.endpoint.status} />}
      queries={[{ document: DELIVERY_PAGE, variables: { id } }]}
    >
      <Loaded thing={delivery} error={error} onRetry={refetch}>
        {(delivery) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Attempts attempts={delivery.attempts} shown={shown?.number} onShow={setChosen} />
            <Details delivery={delivery} />
            <Request delivery={delivery} attempt={shown} />
            <Response attempt={shown} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** A delivery that has not ended is read again after this time. */
const PENDING_INTERVAL_MS = 2_000;

function DeliveryState({ delivery: { status, nextAttemptAt } }: { readonly delivery: DeliveryDetail }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <StatusBadge status={status} />
      <span>
        {status !== 'PENDING' ? (
          text.states[status]
        ) : nextAttemptAt ? (
          <>
            {text.next}: <RelativeTime at={nextAttemptAt} />.
          </>
        ) : (
          text.waits
        )}
      </span>
    </span>
  );
}

function Response({ attempt }: { readonly attempt: DeliveryAttempt | undefined }) {
  if (!attempt) {
    return (
      <Card title={text.response}>
        <p className="text-soft">{text.noAttempt}</p>
      </Card>
    );
  }
  const { number, statusCode, durationMs, error, responseBody } = attempt;
  return (
    <Card title={text.response} description={text.responseHint(number)}>
      <p className="mb-3 flex flex-wrap gap-x-3 font-medium tabular-nums">
        {statusCode !== null && <span>{text.status(statusCode)}</span>}
        {durationMs !== null && <span className="font-normal text-soft">{text.took(durationMs)}</span>}
        {durationMs === null && (
          <span className="font-normal text-soft">{error ? text.interrupted : text.running}</span>
        )}
      </p>
      {error && <p className="mb-3 text-bad">{error}</p>}
      {responseBody ? (
        <CodeSample samples={[{ name: text.body, code: indent(responseBody) }]} />
      ) : (
        statusCode !== null && <p className="text-soft">{text.emptyBody}</p>
      )}
    </Card>
  );
}

/** Indents JSON. Other text and truncated JSON stay unchanged. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Details({
  delivery: { id, createdAt, isReplay, event, endpoint },
}: {
  readonly delivery: DeliveryDetail;
}) {
  return (
    <Card title={text.details}>
      <Facts
        facts={[
          {
            label: text.event,
            value: (
              <Link to="/events/$id" params={{ id: event.id }} className="font-mono text-[0.8125rem]">
                {event.type}
              </Link>
            ),
          },
          {
            label: text.endpoint,
            // A deleted endpoint has no page.
            value:
              endpoint.status === 'DELETED' ? (
                endpoint.url
              ) : (
                <Link to="/webhooks/$id" params={{ id: endpoint.id }}>
                  {endpoint.url}
                </Link>
              ),
          },
          {
            label: text.subscription,
            value: event.subscription && (
              <Link to="/subscriptions/$id" params={{ id: event.subscription.lifeId }}>
                {event.subscription.customer.email}
              </Link>
            ),
          },
          { label: text.created, value: <Time at={createdAt} /> },
          { label: text.replay, value: isReplay && text.yes },
          { label: text.id, value: <ShortId value={id} /> },
        ]}
      />
    </Card>
  );
}
