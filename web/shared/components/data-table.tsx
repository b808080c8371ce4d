import type { ReactNode } from 'react';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { SkeletonRows } from './skeleton.tsx';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and amounts are aligned at the end. */
  readonly align?: 'end';
  /** Left out of the cards. */
  readonly wideOnly?: boolean;
  /** Too long to fit beside its header in a card: it is shown below it. */
  readonly isLong?: boolean;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
}

interface DataTableProps<Row> {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while it loads. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly error?: Error | null;
  readonly onRetry?: () => unknown;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  readonly pageInfo?: PageInfo | undefined;
  readonly totalCount?: number | undefined;
  /** Puts the position into the URL: `{ after }` or `{ before }`. */
  readonly onPage?: (position: { readonly after?: string; readonly before?: string }) => void;
  /** Dims the rows while those of another page load. */
  readonly isStale?: boolean;
  /** The table is in a card, which has the border. */
  readonly isInCard?: boolean;
}

/**
 * A table that is a list of cards on phones and tablets, where its columns would break words. The first column's link opens the row; `j` and `k`
 * move among the rows, Enter opens one.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, error, onRetry, empty, isStale = false, isInCard = false } = props;
  if (error && !rows) return <ErrorPanel error={error} {...(onRetry && { onRetry })} />;
  return (
    <div
      className={`min-w-0 overflow-x-auto ${isInCard ? 'border-t border-line' : 'rounded-lg border border-line bg-surface shadow-low'}`}
    >
      {!rows ? (
        <SkeletonRows />
      ) : rows.length === 0 ? (
        empty
      ) : (
        // The roles are explicit, because a table that is displayed as blocks loses its own.
        // biome-ignore-start lint/a11y/noRedundantRoles: see above
        <table
          role="table"
          aria-label={label}
          aria-busy={isStale}
          className="w-full text-left wrap-break-word transition-opacity aria-busy:opacity-60 max-wide:block"
        >
          <thead role="rowgroup" className="border-b border-line bg-sunken/60 max-wide:sr-only">
            <tr role="row">
              {columns.map(({ header, align }) => (
                <th
                  key={header}
                  role="columnheader"
                  scope="col"
                  className={`px-3 py-2 text-xs font-medium xl:px-4 whitespace-nowrap text-soft ${align === 'end' ? 'text-right' : ''}`}
                >
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-wide:block">
            {rows.map((row) => (
              <tr
                key={rowKey(row)}
                role="row"
                className="border-b border-line last:border-0 hover:bg-sunken/50 max-wide:block max-wide:px-4 max-wide:py-3"
              >
                {columns.map(({ header, cell, align, wideOnly, isLong }, index) => (
                  <td
                    key={header}
                    role="cell"
                    data-first={index === 0}
                    className={`px-3 py-2.5 align-middle xl:px-4 ${align === 'end' ? 'wide:text-right' : ''} ${wideOnly ? 'max-wide:hidden' : 'max-wide:flex'} ${isLong ? 'max-wide:flex-wrap' : ''} max-wide:items-baseline max-wide:justify-between max-wide:gap-x-4 max-wide:px-0 max-wide:py-0.5 max-wide:data-[first=true]:pb-1.5`}
                  >
                    {index > 0 && (
                      <span aria-hidden="true" className="shrink-0 text-soft wide:hidden">
                        {header}
                      </span>
                    )}
                    <span
                      className={`min-w-0 max-wide:in-data-[first=true]:text-left ${isLong ? '' : 'max-wide:text-right'}`}
                    >
                      {cell(row)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        // biome-ignore-end lint/a11y/noRedundantRoles: see above
      )}
      {rows && rows.length > 0 && <Pager {...props} />}
    </div>
  );
}

function Pager<Row>({ pageInfo, totalCount, onPage }: DataTableProps<Row>) {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo ?? {};
  if (totalCount === undefined && !hasNextPage && !hasPreviousPage) return null;
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line px-4 py-2">
      <p className="text-soft tabular-nums">{totalCount !== undefined && labels.total(totalCount)}</p>
      {onPage && (hasNextPage || hasPreviousPage) && (
        <div className="flex gap-2">
          <Button disabled={!hasPreviousPage} onClick={() => startCursor && onPage({ before: startCursor })}>
            {labels.previous}
          </Button>
          <Button disabled={!hasNextPage} onClick={() => endCursor && onPage({ after: endCursor })}>
            {labels.next}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Class of the link in the first column, which opens the row. */
export const rowLinkClass = 'rounded-sm font-medium text-ink no-underline hover:text-accent';
