import { Link } from '@tanstack/react-router';
import { StatCard } from '../../../shared/components/stat-card.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import type { MetricsDay, Period } from './metrics.ts';

interface NumbersProps {
  /** Undefined while it loads. */
  readonly now: Period | undefined;
  readonly before: Period | undefined;
}

const count = (value: number) => new Intl.NumberFormat().format(value);
const rate = (value: number | undefined) =>
  value === undefined
    ? '–'
    : new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(value);

const linkClass = 'text-accent';

/** Four numbers of the period, each with its change since the previous period. */
export function Numbers({ now, before }: NumbersProps) {
  const line = (pick: (day: MetricsDay) => number) => now?.days.map(pick) ?? [];
  const compare = (pick: (period: Period) => number | undefined) => ({
    now: now && pick(now),
    before: before && pick(before),
  });
  const since = now?.days[0]?.day;
  return (
    <div className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 sm:gap-4 lg:grid-cols-4">
      <StatCard
        label={text.active}
        definition={text.activeDefinition}
        value={now && count(now.last?.active ?? 0)}
        values={line((day) => day.active)}
        {...compare(({ last }) => last?.active ?? 0)}
        link={
          <Link to="/subscriptions" search={{ status: 'ACTIVE' }} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.newTitle}
        definition={text.newDefinition}
        value={now && count(now.new)}
        values={line((day) => day.new)}
        {...compare((period) => period.new)}
        link={
          <Link to="/subscriptions" search={since ? { from: since } : {}} className={linkClass}>
            {text.view}
          </Link>
        }
      />
      <StatCard
        label={text.churnRate}
        definition={text.churnDefinition}
        value={now && rate(now.churnRate)}
        values={line((day) => day.churned)}
        isIncreaseBad
        {...compare((period) => period.churnRate)}
        link={
          <Link to="/subscriptions" search={{ status: 'CANCELLED' }} className={linkClass}>
            {text.viewCancelled}
          </Link>
        }
      />
      <StatCard
        label={text.failed}
        definition={text.failedDefinition}
        value={now && count(now.failed)}
        values={line((day) => day.failed)}
        isIncreaseBad
        {...compare((period) => period.failed)}
        link={
          <Link to="/subscriptions" search={{ status: 'PAST_DUE' }} className={linkClass}>
            {text.viewPastDue}
          </Link>
        }
      />
    </div>
  );
}
