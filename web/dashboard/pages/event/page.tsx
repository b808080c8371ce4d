import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { EventPageQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { JsonView } from '../../../shared/components/json-view.tsx';
import { Loaded } from '../../../shared/components/loaded.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { waitingTitle } from '../../../shared/components/waiting-title.ts';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { eventHints, event as text } from '../../../shared/text/events.ts';
import { eventNames } from '../../../shared/text/overview.ts';
import { deliveries } from '../../../shared/text/webhooks.ts';
import { Time } from '../../../shared/time/time.tsx';
import { MissingPage } from '../../shell/page-failed.tsx';
import { ResendButton } from '../delivery/resend-button.tsx';
import { DELIVERY, useDeliveryUpdates } from '../webhooks/use-delivery-updates.ts';

const EVENT = graphql(/* GraphQL */ `
  query EventPage($id: ID!) {
    event(id: $id) {
      id
      type
      createdAt
      sequence
      data
      subscription {
        lifeId
        customer {
          email
        }
      }
      deliveries {
        id
        status
        attemptCount
        endpoint {
          url
          status
        }
      }
    }
  }
`);

const RESEND = graphql(/* GraphQL */ `
  mutation ResendEvent($id: ID!) {
    resendEvent(eventId: $id) {
      id
    }
  }
`);

type EventDetail = NonNullable<EventPageQuery['event']>;
type Delivery = EventDetail['deliveries'][number];

export const route = createLazyRoute('/app/events/$id')({ component: EventPage });

const api = getRouteApi('/app/events/$id');

const COLUMNS: readonly Column<Delivery>[] = [
  {
    header: deliveries.endpoint,
    cell: ({ id, endpoint }) => (
      <Link to="/deliveries/$id" params={{ id }} className={rowLinkClass}>
        {endpoint.url}
      </Link>
    ),
  },
  { header: deliveries.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: deliveries.attempts,
    align: 'end',
    wideOnly: true,
    cell: ({ attemptCount }) => deliveries.attemptCount(attemptCount),
  },
  {
    header: text.resendColumn,
    align: 'end',
    cell: ({ id, endpoint }) => <ResendButton id={id} endpointStatus={endpoint.status} />,
  },
];

function EventPage() {
  const { id } = api.useParams();
  useDeliveryUpdates(null);
  const { data, error, refetch } = useQuery(askOptions(EVENT, { id }, { live: [DELIVERY] }));
  const event = data?.event;
  if (data && !event) return <MissingPage />;
  return (
    <Page
      list="events"
      title={event ? (eventNames[event.type] ?? event.type) : waitingTitle(error)}
      description={event && eventHints[event.type]}
      actions={event && <Resend id={event.id} />}
      queries={[{ document: EVENT, variables: { id } }]}
    >
      <Loaded thing={event} error={error} onRetry={refetch}>
        {(event) => (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <div className="grid min-w-0 gap-4">
              <Card title={text.payload} description={text.payloadHint}>
                <JsonView value={event.data} />
              </Card>
              <Card title={text.deliveries} description={text.deliveriesHint} flush>
                <DataTable
                  label={text.deliveries}
                  columns={COLUMNS}
                  rows={event.deliveries}
                  rowKey={(delivery) => delivery.id}
                  isInCard
                  empty={<p className="p-4 text-soft">{text.noDeliveries}</p>}
                />
              </Card>
            </div>
            <Details event={event} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Resend({ id }: { readonly id: string }) {
  const toast = useToast();
  const resend = useChange(RESEND, { onDone: () => toast(text.resent) });
  return (
    <WriteButton
      busy={resend.isPending}
      title={text.resendTitle}
      onClick={() => resend.mutate({ id }, { onError: ({ message }) => toast(message, 'bad') })}
    >
      {text.resend}
    </WriteButton>
  );
}

function Details({
  event: { id, type, createdAt, sequence, subscription },
}: {
  readonly event: EventDetail;
}) {
  return (
    <Card title={text.details}>
      <Facts
        facts={[
          {
            label: text.type,
            value: (
              <Link to="/events" search={{ type }} className="font-mono text-[0.8125rem]">
                {type}
              </Link>
            ),
          },
          { label: text.happened, value: <Time at={createdAt} /> },
          {
            label: text.subscription,
            value: subscription && (
              <Link to="/subscriptions/$id" params={{ id: subscription.lifeId }}>
                {subscription.customer.email}
              </Link>
            ),
          },
          { label: text.sequence, value: sequence },
          { label: text.id, value: <ShortId value={id} /> },
        ]}
      />
    </Card>
  );
}
