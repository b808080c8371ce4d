import { Link } from '@tanstack/react-router';
import { StatCard } from '../../../shared/components/stat-card.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import type { MetricsDay, Period, PreviousPeriod } from './metrics.ts';

interface NumbersProps {
  /** Undefined while it loads. */
  readonly period: Period | undefined;
}

const count = (value: number) => new Intl.NumberFormat().format(value);
const rate = (value: number | null) =>
  value === null
    ? '–'
    : new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(value);

const linkClass = 'text-accent';

/** Four numbers of the period, each with its change since the previous period. */
export function Numbers({ period }: NumbersProps) {
  const line = (pick: (day: MetricsDay) => number) => period?.days.map(pick) ?? [];
  const compare = (pick: (period: Period | PreviousPeriod) => number | null) => ({
    now: (period && pick(period)) ?? undefined,
    before: (period && pick(period.previous)) ?? undefined,
  });
  const activeAtEnd = ({ days }: Period | PreviousPeriod) => days.at(-1)?.active ?? 0;
  const since = period?.days[0]?.day;
  return (
    <div className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 sm:gap-4 lg:grid-cols-4">
      <StatCard
        label={text.active}
        definition={text.activeDefinition}
        value={period && count(activeAtEnd(period))}
        values={line((day) => day.active)}
        {...compare(activeAtEnd)}
        link={
          <Link to="/subscriptions" search={{ status: 'ACTIVE' }} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.newTitle}
        definition={text.newDefinition}
        value={period && count(period.total.new)}
        values={line((day) => day.new)}
        {...compare(({ total }) => total.new)}
        link={
          <Link to="/subscriptions" search={since ? { from: since } : {}} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.churnRate}
        definition={text.churnDefinition}
        value={period && rate(period.total.churnRate)}
        values={line((day) => day.churned)}
        isIncreaseBad
        isRate
        {...compare(({ total }) => total.churnRate)}
        link={
          <Link to="/subscriptions" search={{ status: 'CANCELLED' }} className={linkClass}>
            {text.viewCancelled}
          </Link>
        }
      />
      <StatCard
        label={text.failed}
        definition={text.failedDefinition}
        value={period && count(period.total.failed)}
        values={line((day) => day.failed)}
        isIncreaseBad
        {...compare(({ total }) => total.failed)}
        link={
          <Link to="/subscriptions" search={{ status: 'PAST_DUE' }} className={linkClass}>
            {text.viewPastDue}
          </Link>
        }
      />
    </div>
  );
}
