import { type ReactNode, useEffect, useRef, useState } from 'react';
import { labels } from '../text/labels.ts';
import { MARGIN } from './margin.ts';

export interface ChartTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  /** The content of the chart, in one sentence with its newest value. */
  readonly label: string;
  /** Names of the points, oldest first. */
  readonly points: readonly string[];
  /** The values of a point in words, for the cursor. */
  readonly describe: (index: number) => string;
  readonly table: ChartTable;
  readonly height: number;
  readonly children: (size: { readonly width: number; readonly cursor: number | undefined }) => ReactNode;
  readonly legend?: ReactNode;
}

/**
 * The frame of a chart: its width, a cursor for mouse and keyboard, and the same numbers as a
 * table. The cursor is a range input over the chart, so that arrow keys, Home and End work, and
 * screen readers read each point.
 */
export function ChartFrame(props: ChartFrameProps) {
  const { label, points, describe, table, height, children, legend } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [cursor, setCursor] = useState<number>();
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const last = points.length - 1;
  const shown = cursor === undefined ? undefined : Math.min(cursor, last);
  return (
    <figure aria-label={label}>
      <div className="mb-2 flex min-h-5 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-soft">
        {legend ?? <span />}
        <output className="tabular-nums">{shown === undefined ? '' : describe(shown)}</output>
      </div>
      <div
        ref={frame}
        className="relative rounded-sm focus-within:outline-2 focus-within:outline-offset-4 focus-within:outline-accent"
        onPointerMove={({ clientX, currentTarget }) => {
          const start = currentTarget.getBoundingClientRect().left + MARGIN.left;
          const fraction = (clientX - start) / (width - MARGIN.left - MARGIN.right);
          setCursor(Math.max(0, Math.min(last, Math.round(fraction * last))));
        }}
        onPointerLeave={() => setCursor(undefined)}
      >
        <svg width={width} height={height} className="block overflow-visible" aria-hidden="true">
          <title>{label}</title>
          {width > 0 && children({ width, cursor: shown })}
        </svg>
        <input
          type="range"
          min={0}
          max={Math.max(last, 0)}
          value={shown ?? Math.max(last, 0)}
          aria-label={label}
          aria-valuetext={last < 0 ? '' : describe(shown ?? last)}
          onFocus={() => setCursor((current) => current ?? last)}
          onBlur={() => setCursor(undefined)}
          onChange={({ target }) => setCursor(Number(target.value))}
          className="pointer-events-none absolute inset-x-0 bottom-0 h-6 w-full opacity-0"
        />
      </div>
      <DataOfChart caption={label} table={table} />
    </figure>
  );
}

/** The chart's numbers as a table. A closed table has no rows, so that updates cost nothing. */
function DataOfChart({ caption, table }: { readonly caption: string; readonly table: ChartTable }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-2 text-xs" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit rounded-sm text-soft hover:text-ink">{labels.showTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section tabIndex={0} aria-label={caption} className="mt-2 max-h-64 overflow-auto">
          <table className="w-full text-right">
            <thead>
              <tr className="border-b border-line text-soft">
                {table.headers.map((header) => (
                  <th key={header} scope="col" className="px-2 py-1 font-medium first:text-left">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([first, ...rest]) => (
                <tr key={first}>
                  <th scope="row" className="px-2 py-0.5 text-left font-normal whitespace-nowrap">
                    {first}
                  </th>
                  {rest.map((value, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                    <td key={index} className="px-2 py-0.5">
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

export interface LegendEntry {
  readonly label: string;
  readonly className: string;
}

export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {entries.map(({ label, className }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`h-0.5 w-3 rounded-full ${className}`} />
          {label}
        </li>
      ))}
    </ul>
  );
}
