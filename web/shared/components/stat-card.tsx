import type { ReactNode } from 'react';
import { Sparkline } from '../charts/sparkline.tsx';
import { Change } from './change.tsx';
import { Skeleton } from './skeleton.tsx';

interface StatCardProps {
  readonly label: string;
  /** The meaning of the number, shown with the label. */
  readonly definition: string;
  /** Undefined while it loads. */
  readonly value: ReactNode | undefined;
  readonly values?: readonly number[];
  readonly now?: number | undefined;
  readonly before?: number | undefined;
  /** Whether an increase is bad: failures, churn. */
  readonly isIncreaseBad?: boolean;
  /** Whether the numbers are shares, such as 0.5 for 50%. */
  readonly isRate?: boolean;
  /** A link to the list behind the number. */
  readonly link?: ReactNode;
}

/** A number with its change since the previous period. */
export function StatCard(props: StatCardProps) {
  const {
    label,
    definition,
    value,
    values,
    now,
    before,
    isIncreaseBad = false,
    isRate = false,
    link,
  } = props;
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4 shadow-low max-sm:p-3">
      <h2 className="text-soft" title={definition}>
        {label}
      </h2>
      <div className="mt-1 flex items-end justify-between gap-2 overflow-hidden">
        <p className="text-xl leading-7 font-semibold tracking-tight tabular-nums">
          {value ?? <Skeleton className="my-1 h-5 w-24" />}
        </p>
        {values && values.length > 1 && (
          <span className="min-w-0 max-[26rem]:hidden">
            <Sparkline values={values} />
          </span>
        )}
      </div>
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-3 text-xs">
        <Change {...{ now, before, isIncreaseBad, isRate }} />
        {link}
      </div>
    </div>
  );
}
