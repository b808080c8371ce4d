import { useQuery } from '@tanstack/react-query';
import type { TypedDocumentString } from '../../generated/graphql.ts';
import { type AskOptions, askOptions } from '../api/query.ts';
import { pageVariables } from '../api/search-params.ts';
import type { PageInfo } from './data-table.tsx';
import type { PageQuery } from './query-samples.tsx';

/** The search parameters of a list: its filters, order and position. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

interface Connection<Row> {
  readonly totalCount?: number;
  readonly pageInfo: PageInfo;
  readonly edges: readonly { readonly node: Row }[];
}

/**
 * Changes the URL: `(change, replace) => navigate({ search: change, replace })`. If `replace` is
 * true, the history keeps no entry of the previous URL.
 */
export type SearchChange<Search> = (change: (old: Search) => Search, replace: boolean) => Promise<unknown>;

interface ListOptions<Search, Result, Variables, Row> extends Pick<AskOptions, 'live' | 'enabled'> {
  readonly document: TypedDocumentString<Result, Variables>;
  /** The variables of the filters; those of the position are added. */
  readonly variables: Omit<Variables, keyof ReturnType<typeof pageVariables>>;
  /** Selects the connection in the answer. */
  readonly connectionOf: (result: Result) => Connection<Row>;
  readonly search: Search;
  readonly onSearch: SearchChange<Search>;
}

/** One page of a filtered list, for `ListView` and `ListPage`. */
export interface List<Search, Row> {
  readonly search: Search;
  readonly isFiltered: boolean;
  readonly query: PageQuery;
  /** Undefined while it loads. */
  readonly connection: Connection<Row> | undefined;
  readonly error: Error | null;
  /** Whether the rows are still those of the previous search. */
  readonly isStale: boolean;
  readonly refetch: () => unknown;
  /**
   * Changes filters or the position. Without a position, the list returns to its first page. The
   * promise is fulfilled when the page has the new URL. With `replace`, the history keeps no entry
   * of the previous URL.
   */
  readonly change: (changed: ListSearch, replace?: boolean) => Promise<unknown>;
  /** Replaces the whole search. */
  readonly open: (search: Search) => void;
}

/** Queries one page of a list, whose filters and position are in the URL. */
export function useList<Search extends ListSearch, Result, Variables, Row>({
  document,
  variables: filters,
  connectionOf,
  search,
  onSearch,
  ...options
}: ListOptions<Search, Result, Variables, Row>): List<Search, Row> {
  const variables = { ...filters, ...pageVariables(search) } as Variables;
  const { data, error, isPlaceholderData, refetch } = useQuery(
    askOptions(document, variables, { ...options, keepsPrevious: true }),
  );
  return {
    search,
    isFiltered: Object.entries(search).some(
      ([name, value]) => value !== undefined && !['after', 'before', 'order'].includes(name),
    ),
    query: { document, variables },
    connection: data && connectionOf(data),
    error,
    isStale: isPlaceholderData,
    refetch,
    change: (changed, replace = false) =>
      onSearch((old) => ({ ...old, after: undefined, before: undefined, ...changed }) as Search, replace),
    open: (opened) => void onSearch(() => opened, false),
  };
}
