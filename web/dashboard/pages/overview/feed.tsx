import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { type LiveEvent, useEvents } from '../../../shared/api/live.tsx';
import { usePlanOptions } from '../../../shared/api/plan-options.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Button, buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { eventNames, overview as text } from '../../../shared/text/overview.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { newestEvents } from './newest-events.ts';

const LATEST = graphql(/* GraphQL */ `
  query LatestEvents {
    events(first: 10) {
      edges {
        node {
          id
          type
          createdAt
          data
        }
      }
    }
  }
`);

type FeedEvent = Pick<LiveEvent, 'id' | 'type' | 'createdAt' | 'data'>;

const DOTS: Readonly<Record<string, string>> = {
  'subscription.created': 'bg-chart-1',
  'subscription.payment_succeeded': 'bg-good',
  'subscription.resumed': 'bg-chart-2',
  'subscription.payment_failed': 'bg-warn',
  'subscription.payment_missed': 'bg-warn',
  'subscription.payment_reversed': 'bg-bad',
  'subscription.expired': 'bg-bad',
};

/** The latest events, and every new one as it happens. */
export function Feed() {
  const { data } = useQuery({ ...askOptions(LATEST, {}), staleTime: 0 });
  const planNames = new Map(usePlanOptions().map(({ value, label }) => [value, label]));
  const [arrived, setArrived] = useState<readonly FeedEvent[]>([]);
  const [isPaused, setPaused] = useState(false);
  const [held, setHeld] = useState<readonly FeedEvent[]>([]);
  useEvents((event) => {
    const add = (events: readonly FeedEvent[]) => newestEvents([event, ...events]);
    if (isPaused) setHeld(add);
    else setArrived(add);
  });
  const resume = () => {
    setArrived((events) => newestEvents([...held, ...events]));
    setHeld([]);
    setPaused(false);
  };
  const stored = data?.events.edges.map(({ node }): FeedEvent => node);
  const events = stored && newestEvents([...arrived, ...stored]);
  return (
    <Card
      title={text.feed}
      description={text.feedHint}
      flush
      actions={
        <span className="flex gap-2">
          <Button kind="plain" onClick={() => (isPaused ? resume() : setPaused(true))}>
            {isPaused ? text.resume : text.pause}
            {held.length > 0 && ` (${held.length})`}
          </Button>
          <Link to="/events" className={buttonClass()}>
            {text.allEvents}
          </Link>
        </span>
      }
    >
      {!events ? (
        <SkeletonRows rows={4} />
      ) : events.length === 0 ? (
        <EmptyState icon="events" title={text.feedEmpty}>
          {text.feedEmptyHint}
        </EmptyState>
      ) : (
        <ol aria-live="off" className="border-t border-line">
          {events.map((event) => (
            <FeedRow key={event.id} {...event} planName={planNames.get(planIdOf(event) ?? '')} />
          ))}
        </ol>
      )}
    </Card>
  );
}

interface EventSubject {
  readonly subscriptionId?: string;
  readonly customer?: { readonly email?: string };
  readonly planId?: string;
  readonly plan?: { readonly planId?: string };
  readonly url?: string;
}

/** The plan id in the data of an event. */
function planIdOf({ data }: FeedEvent): string | undefined {
  const { planId, plan } = data as EventSubject;
  return planId ?? plan?.planId;
}

interface FeedRowProps extends FeedEvent {
  /** Undefined while it loads, and for a plan that is not among the newest 100. */
  readonly planName: string | undefined;
}

// Memoised: with many events a second, only the new row is rendered.
const FeedRow = memo(({ planName, ...event }: FeedRowProps) => {
  const { id, type, createdAt } = event;
  const { customer, url } = event.data as EventSubject;
  const subject = [customer?.email ?? url, planName ?? planIdOf(event)].filter(Boolean).join(' · ');
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to="/events/$id"
        params={{ id }}
        className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2.5 text-ink no-underline -outline-offset-2 hover:bg-sunken/50"
      >
        <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOTS[type] ?? 'bg-edge'}`} />
        <span className="font-medium">{eventNames[type] ?? type}</span>
        <span className="min-w-0 flex-1 truncate text-soft max-sm:order-last max-sm:basis-full max-sm:pl-5">
          {subject}
        </span>
        <span className="text-xs text-soft max-sm:ml-auto">
          <RelativeTime at={createdAt} />
        </span>
      </Link>
    </li>
  );
});
