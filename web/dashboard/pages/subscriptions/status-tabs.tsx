import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { statuses } from '../../../shared/text/statuses.ts';
import { subscriptions as text } from '../../../shared/text/subscriptions.ts';
import { STATUSES } from './search.ts';

const COUNTS = graphql(/* GraphQL */ `
  query SubscriptionTabs {
    subscriptionCounts {
      total
      active
      pastDue
      cancelled
      expired
    }
  }
`);

const COUNT_OF = {
  ACTIVE: 'active',
  PAST_DUE: 'pastDue',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const;

const api = getRouteApi('/app/subscriptions');

/** Links to the subscriptions of each status, with their number. */
export function StatusTabs() {
  const { status } = api.useSearch();
  const counts = useQuery(askOptions(COUNTS, {}, { live: ['subscription.'] })).data?.subscriptionCounts;
  const number = new Intl.NumberFormat();
  const tabs = [
    { label: text.allTab, value: undefined, count: counts?.total },
    ...STATUSES.map((value) => ({ label: statuses[value], value, count: counts?.[COUNT_OF[value]] })),
  ];
  return (
    <nav aria-label={text.tabs} className="mb-4 flex gap-4 overflow-x-auto border-b border-line">
      {tabs.map(({ label, value, count }) => (
        <Link
          key={label}
          to="/subscriptions"
          search={({ after: _, before: __, failure: ___, ...old }) => ({ ...old, status: value })}
          aria-current={value === status ? 'page' : undefined}
          className="-mb-px shrink-0 border-b-2 border-transparent px-0.5 pb-2 whitespace-nowrap text-soft no-underline -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}{' '}
          {count !== undefined && (
            <span className="text-xs text-soft tabular-nums">{number.format(count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
