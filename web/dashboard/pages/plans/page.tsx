import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { PlanRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useStream } from '../../../shared/api/live.tsx';
import { Badge } from '../../../shared/components/badge.tsx';
import { buttonClass } from '../../../shared/components/button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { optionsOf } from '../../../shared/components/filter-options.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { StatusBadge } from '../../../shared/components/status-badge.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { Amount } from '../../../shared/money/amount.tsx';
import { plans as text } from '../../../shared/text/plans.ts';
import { planProblems, statuses } from '../../../shared/text/statuses.ts';
import { formatDuration, formatInterval } from '../../../shared/time/duration.ts';
import { DateOnly } from '../../../shared/time/time.tsx';

const PLANS = graphql(/* GraphQL */ `
  query PlanRows($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {
    plans(status: $status, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          planId
          name
          amount
          mint
          asset {
            mint
            symbol
            decimals
          }
          interval
          trialPeriodSeconds
          status
          problem
          revenue
          publishedAt
          endsAt
          subscribers {
            active
            pastDue
          }
        }
      }
    }
  }
`);

const PLAN_UPDATED = graphql(/* GraphQL */ `
  subscription PlanRowUpdated {
    planUpdated {
      planId
    }
  }
`);

type Plan = PlanRowsQuery['plans']['edges'][number]['node'];

export const route = createLazyRoute('/app/plans')({ component: PlansPage });

const api = getRouteApi('/app/plans');

const FILTERS: readonly Filter<'status'>[] = [
  {
    name: 'status',
    kind: 'select',
    label: text.status,
    options: optionsOf(statuses, ['ACTIVE', 'DRAFT', 'INACTIVE']),
  },
];

const COLUMNS: readonly Column<Plan>[] = [
  {
    header: text.name,
    cell: ({ planId, name }) => (
      <>
        <Link to="/plans/$planId" params={{ planId }} className={rowLinkClass}>
          {name}
        </Link>
        <code className="block font-mono text-xs text-soft">{planId}</code>
      </>
    ),
  },
  {
    header: text.status,
    cell: ({ status, problem }) => (
      <span className="inline-flex flex-wrap gap-1">
        <StatusBadge status={status} />
        {problem && (
          <span title={planProblems[problem]}>
            <Badge tone="bad">{text.problem}</Badge>
          </span>
        )}
      </span>
    ),
  },
  {
    header: text.price,
    cell: ({ amount, mint, asset, interval, trialPeriodSeconds }) => (
      <>
        <Amount amount={amount} mint={mint} asset={asset} />{' '}
        <span className="whitespace-nowrap text-soft">{formatInterval(interval)}</span>
        {trialPeriodSeconds > 0 && (
          <span className="block text-xs text-soft">{text.trial(formatDuration(trialPeriodSeconds))}</span>
        )}
      </>
    ),
  },
  {
    header: text.subscribers,
    align: 'end',
    cell: ({ planId, subscribers: { active, pastDue } }) => (
      <Link
        to="/subscriptions"
        search={{ plan: planId }}
        title={text.subscribersTitle}
        className="text-ink hover:text-accent"
      >
        {new Intl.NumberFormat().format(active + pastDue)}
      </Link>
    ),
  },
  {
    header: text.revenue,
    align: 'end',
    cell: ({ revenue, mint, asset }) => <Amount amount={revenue} mint={mint} asset={asset} />,
  },
  {
    header: text.published,
    wideOnly: true,
    cell: ({ publishedAt, endsAt }) => (
      <>
        {publishedAt ? <DateOnly at={publishedAt} /> : <span className="text-soft">–</span>}
        {endsAt && (
          <span className="block text-xs text-soft">
            {text.ends} <DateOnly at={endsAt} />
          </span>
        )}
      </>
    ),
  },
];

function PlansPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const list = useList({
    document: PLANS,
    variables: { status: search.status ?? null },
    connectionOf: ({ plans }) => plans,
    live: ['subscription.'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  // Changes by other members or on chain cause no event.
  useStream(PLAN_UPDATED, {}, { onData: () => void list.refetch(), onGap: () => void list.refetch() });
  const create = (
    <Link to="/plans/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {text.create}
    </Link>
  );
  return (
    <ListPage
      name="plans"
      list={list}
      text={text}
      filters={FILTERS}
      columns={COLUMNS}
      rowKey={({ planId }) => planId}
      actions={create}
      icon="plans"
      begin={create}
    />
  );
}
