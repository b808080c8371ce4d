import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { DiscountRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { formatDiscount } from '../../../shared/money/discount-value.ts';
import { discounts as text } from '../../../shared/text/discounts.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { DiscountStateBadge } from './state-badge.tsx';

const DISCOUNTS = graphql(/* GraphQL */ `
  query DiscountRows($isActive: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
    discounts(isActive: $isActive, first: $first, after: $after, last: $last, before: $before) {
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
          name
          code
          percentBps
          amount
          asset {
            mint
            symbol
            decimals
          }
          periods
          plans {
            planId
            name
          }
          maxRedemptions
          taken
          state
          startsAt
          endsAt
        }
      }
    }
  }
`);

type Discount = DiscountRowsQuery['discounts']['edges'][number]['node'];

export const route = createLazyRoute('/app/discounts')({ component: DiscountsPage });

const api = getRouteApi('/app/discounts');

const FILTERS: readonly Filter<'status'>[] = [
  {
    name: 'status',
    kind: 'select',
    label: text.state,
    options: [
      { value: 'ON', label: text.switchedOn },
      { value: 'OFF', label: text.switchedOff },
    ],
  },
];

/** Plans that a row names. */
const MAX_NAMED = 2;

const COLUMNS: readonly Column<Discount>[] = [
  {
    header: text.name,
    cell: ({ id, name, code }) => (
      <>
        <Link to="/discounts/$id" params={{ id }} className={rowLinkClass}>
          {name}
        </Link>
        {code === null ? (
          <span className="block text-xs text-soft">{text.noCode}</span>
        ) : (
          <code className="block font-mono text-xs text-soft">{code}</code>
        )}
      </>
    ),
  },
  { header: text.state, cell: ({ state }) => <DiscountStateBadge state={state} /> },
  {
    header: text.value,
    cell: ({ asset, periods, ...discount }) => (
      <>
        <span className="whitespace-nowrap tabular-nums">{formatDiscount(discount, asset)}</span>
        <span className="block text-xs text-soft">{text.payments(periods)}</span>
      </>
    ),
  },
  {
    header: text.used,
    align: 'end',
    cell: ({ taken, maxRedemptions }) => (
      <span className="tabular-nums">{text.usedOf(taken, maxRedemptions)}</span>
    ),
  },
  {
    header: text.plans,
    cell: ({ plans }) =>
      plans.length === 0 ? (
        <span className="text-soft">{text.allPlans}</span>
      ) : (
        <>
          {plans
            .slice(0, MAX_NAMED)
            .map(({ name }) => name)
            .join(', ')}
          {plans.length > MAX_NAMED && (
            <span className="block text-xs text-soft">{text.morePlans(plans.length - MAX_NAMED)}</span>
          )}
        </>
      ),
  },
  {
    header: text.dates,
    wideOnly: true,
    cell: ({ startsAt, endsAt }) => (
      <>
        {startsAt && (
          <span className="block">
            {text.from} <DateOnly at={startsAt} />
          </span>
        )}
        {endsAt ? (
          <span className="block">
            {text.until} <DateOnly at={endsAt} />
          </span>
        ) : (
          <span className="text-soft">{text.always}</span>
        )}
      </>
    ),
  },
];

function DiscountsPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const list = useList({
    document: DISCOUNTS,
    variables: { isActive: search.status ? search.status === 'ON' : null },
    connectionOf: ({ discounts }) => discounts,
    live: ['subscription.created'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  const create = (
    <Link to="/discounts/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {text.create}
    </Link>
  );
  return (
    <ListPage
      name="discounts"
      list={list}
      text={text}
      filters={FILTERS}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      actions={create}
      icon="discount"
      begin={create}
    />
  );
}
