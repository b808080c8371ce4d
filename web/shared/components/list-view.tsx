import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import { NothingFound } from './nothing-found.tsx';
import type { List, ListSearch } from './use-list.ts';

export interface ListViewProps<Search extends ListSearch, Row> {
  readonly list: List<Search, Row>;
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly filters?: readonly Filter<keyof Search & string>[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Shown if there are no rows and no filters. */
  readonly empty: ReactNode;
}

/** The filters and the table of a list. */
export function ListView<Search extends ListSearch, Row>(props: ListViewProps<Search, Row>) {
  const { list, label, filters, columns, rowKey, empty } = props;
  const { search, connection } = list;
  return (
    <>
      {filters && (
        <FilterBar filters={filters} values={search} onChange={list.change} isBusy={list.isStale} />
      )}
      <DataTable
        label={label}
        columns={columns}
        rows={connection?.edges.map(({ node }) => node)}
        rowKey={rowKey}
        error={list.error}
        onRetry={list.refetch}
        isStale={list.isStale}
        pageInfo={connection?.pageInfo}
        totalCount={connection?.totalCount}
        onPage={list.change}
        empty={list.isFiltered ? <NothingFound onClear={() => list.open({} as Search)} /> : empty}
      />
    </>
  );
}
