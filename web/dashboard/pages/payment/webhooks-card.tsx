import { Link } from '@tanstack/react-router';
import type { PaymentPageQuery } from '../../../generated/graphql.ts';
import { Card } from '../../../shared/components/card.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { eventNames } from '../../../shared/text/overview.ts';
import { payment as text } from '../../../shared/text/payments.ts';
import { billingNow } from '../../../shared/time/billing-now.ts';
import { Time } from '../../../shared/time/time.tsx';

/** Deliveries are deleted after this time. */
const KEPT_MS = 90 * 86_400_000;

/** Whether the deliveries of an event from this time are still kept. */
const isKept = (createdAt: string) => Date.parse(createdAt) > billingNow().getTime() - KEPT_MS;

type Events = PaymentPageQuery['events'];
type Event = Events['edges'][number]['node'];

const COLUMNS: readonly Column<Event>[] = [
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
    header: text.deliveries,
    cell: ({ createdAt, deliveries }) =>
      deliveries.length === 0 ? (
        <span className="text-soft">{isKept(createdAt) ? text.noDelivery : text.noLongerKept}</span>
      ) : (
        <ul className="grid gap-1">
          {deliveries.map(({ id, status, lastStatusCode, endpoint: { url } }) => (
            <li key={id}>
              <StatusBadge status={status} />{' '}
              <Link to="/deliveries/$id" params={{ id }} className="wrap-anywhere">
                {url}
              </Link>
              {lastStatusCode !== null && (
                <span className="text-soft"> {text.lastResponse(lastStatusCode)}</span>
              )}
            </li>
          ))}
        </ul>
      ),
  },
  { header: text.happened, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The events about a payment, with their deliveries to webhook endpoints. */
export function WebhooksCard({ events }: { readonly events: Events }) {
  const more = events.totalCount - events.edges.length;
  return (
    <Card title={text.webhooks} description={text.webhooksHint} flush>
      <DataTable
        label={text.webhooks}
        columns={COLUMNS}
        rows={events.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        isInCard
        empty={<p className="p-4 text-soft">{text.noEvents}</p>}
      />
      {more > 0 && <p className="p-4 text-soft">{text.olderEvents(more)}</p>}
    </Card>
  );
}
