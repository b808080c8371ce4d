import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { CustomerRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { dayRange } from '../../../shared/api/search-params.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { type Column, rowLinkClass } from '../../../shared/components/data-table.tsx';
import type { Filter } from '../../../shared/components/filter-bar.tsx';
import { dayFilters } from '../../../shared/components/filter-options.ts';
import { ListPage } from '../../../shared/components/list-page.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { customers as text } from '../../../shared/text/customers.ts';
import { DateOnly } from '../../../shared/time/time.tsx';

const CUSTOMERS = graphql(/* GraphQL */ `
  query CustomerRows(
    $search: String
    $from: DateTime
    $to: DateTime
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    customers(
      search: $search
      from: $from
      to: $to
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
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
          email
          customerId
          walletAddress
          createdAt
        }
      }
    }
  }
`);

type Customer = CustomerRowsQuery['customers']['edges'][number]['node'];

export const route = createLazyRoute('/app/customers')({ component: CustomersPage });

const api = getRouteApi('/app/customers');

const FILTERS: readonly Filter<'search' | 'from' | 'to'>[] = [
  { name: 'search', kind: 'text', label: text.search, placeholder: text.searchPlaceholder },
  ...dayFilters(text),
];

const COLUMNS: readonly Column<Customer>[] = [
  {
    header: text.email,
    cell: ({ id, email }) => (
      <Link to="/customers/$id" params={{ id }} className={rowLinkClass}>
        {email}
      </Link>
    ),
  },
  {
    header: text.customerId,
    cell: ({ customerId }) =>
      customerId ? (
        <code className="font-mono text-[0.8125rem]">{customerId}</code>
      ) : (
        <span className="text-soft">–</span>
      ),
  },
  { header: text.wallet, cell: ({ walletAddress }) => <OnChain kind="address" value={walletAddress} /> },
  { header: text.created, wideOnly: true, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
];

function CustomersPage() {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const variables = { search: search.search ?? null, ...dayRange(search) };
  const list = useList({
    document: CUSTOMERS,
    variables,
    connectionOf: ({ customers }) => customers,
    live: ['subscription.created'],
    search,
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  return (
    <ListPage
      name="customers"
      list={list}
      text={text}
      filters={FILTERS}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      exported={{ kind: 'customers', filters: variables }}
      icon="customers"
      begin={
        <Link to="/plans" className={buttonClass('primary')}>
          {text.toPlans}
        </Link>
      }
    />
  );
}
