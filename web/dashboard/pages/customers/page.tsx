import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { CustomerRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { dayRange, pageVariables } from '../../../shared/api/search-params.ts';
import { buttonClass } from '../../../shared/components/button.tsx';
import { type Column, DataTable, rowLinkClass } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { OnChain } from '../../../shared/components/explorer-link.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { type Filter, FilterBar } from '../../../shared/components/filter-bar.tsx';
import { NothingFound } from '../../../shared/components/nothing-found.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SavedViews } from '../../../shared/components/saved-views.tsx';
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
  { name: 'from', kind: 'date', label: text.from },
  { name: 'to', kind: 'date', label: text.to },
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
  const navigate = useNavigate({ from: '/customers' });
  const filter = { search: search.search ?? null, ...dayRange(search) };
  const variables = { ...filter, ...pageVariables(search) };
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(CUSTOMERS, variables, { live: ['subscription.created'], keepsPrevious: true }),
  );
  const isFiltered = Object.values(filter).some((value) => value !== null);
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <>
          <SavedViews list="customers" search={search} onOpen={(saved) => navigate({ search: saved })} />
          <ExportButton kind="customers" filters={filter} total={data?.customers.totalCount} />
        </>
      }
      queries={[{ document: CUSTOMERS, variables }]}
    >
      <FilterBar
        filters={FILTERS}
        values={search}
        onChange={(changed) =>
          void navigate({
            search: ({ after: _, before: __, ...old }) => ({ ...old, ...changed }) as typeof search,
          })
        }
      />
      <DataTable
        label={text.title}
        columns={COLUMNS}
        rows={data?.customers.edges.map(({ node }) => node)}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        pageInfo={data?.customers.pageInfo}
        totalCount={data?.customers.totalCount}
        onPage={(position) =>
          void navigate({ search: ({ after: _, before: __, ...old }) => ({ ...old, ...position }) })
        }
        empty={
          isFiltered ? (
            <NothingFound onClear={() => void navigate({ search: {} })} />
          ) : (
            <EmptyState
              icon="customers"
              title={text.empty}
              actions={
                <Link to="/plans" className={buttonClass('primary')}>
                  {text.toPlans}
                </Link>
              }
            >
              {text.emptyHint}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
