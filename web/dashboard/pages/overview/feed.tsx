import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useEvents } from '../../../shared/api/live.tsx';
import { type NamedPlan, useNamedPlans } from '../../../shared/api/plan-options.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Button, buttonClass } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import { type FeedEvent, feedLine, planIdOf } from './feed-line.ts';
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

/** The colours of an outcome and of the dot before it. */
const TONES = {
  good: ['text-good', 'bg-good'],
  warn: ['text-warn', 'bg-warn'],
  bad: ['text-bad', 'bg-bad'],
  neutral: ['text-soft', 'bg-chart-1'],
} as const;

/** The latest events, and every new one as it happens. */
export function Feed() {
  const { data } = useQuery({ ...askOptions(LATEST, {}), staleTime: 0 });
  const plans = useNamedPlans();
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
            <FeedRow key={event.id} event={event} plan={plans.get(planIdOf(event) ?? '')} />
          ))}
        </ol>
      )}
    </Card>
  );
}

interface FeedRowProps {
  readonly event: FeedEvent;
  /** Undefined while it loads, and for a plan that is not among the newest 100. */
  readonly plan: NamedPlan | undefined;
}

// Memoised: with many events a second, only the new row is rendered.
const FeedRow = memo(({ event, plan }: FeedRowProps) => {
  const { title, outcome, tone, details } = feedLine(event, plan);
  const [outcomeClass, dotClass] = TONES[tone];
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to="/events/$id"
        params={{ id: event.id }}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 px-4 py-2 text-ink no-underline -outline-offset-2 hover:bg-sunken/50"
      >
        <span aria-hidden="true" className={`size-2 self-center rounded-full ${dotClass}`} />
        <span className="font-medium tabular-nums">{title}</span>
        <span className="text-xs text-soft">
          <RelativeTime at={event.createdAt} />
        </span>
        <span className="col-start-2 col-end-4 text-soft">
          <span className={outcomeClass}>{outcome}</span>
          {details.map((detail) => ` · ${detail}`)}
        </span>
      </Link>
    </li>
  );
});
