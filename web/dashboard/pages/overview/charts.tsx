import { type BarSeries, StackedBars } from '../../../shared/charts/stacked-bars.tsx';
import { TimeSeries } from '../../../shared/charts/time-series.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import { type TokenAmount, unitOf } from '../../../shared/money/amount.tsx';
import { overview as text } from '../../../shared/text/overview.ts';
import { failures } from '../../../shared/text/statuses.ts';
import { formatDay } from './format-day.ts';
import { chartNumber, type MetricsDay, type Period } from './metrics.ts';

const twoDigits = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

interface ChartsProps {
  /** Undefined while it loads. */
  readonly now: Period | undefined;
  readonly before: Period | undefined;
  readonly token: TokenAmount | undefined;
}

/** The charts of the overview, day by day. */
export function Charts({ now, before, token }: ChartsProps) {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card title={text.mrr} description={text.mrrDefinition}>
        <Money label={text.mrrShort} {...{ now, before, token }} pick={({ mrr }) => mrr} />
      </Card>
      <Card title={text.movement} description={text.movementHint}>
        <Bars label={text.movement} unit={text.subscriptionsPerDay} now={now} series={movementOf} />
      </Card>
      <Card title={text.collected} description={text.collectedDefinition}>
        <Money
          label={text.collected}
          {...{ now, before, token }}
          pick={({ collected }) => collected}
          isDaily
        />
      </Card>
      <Card title={text.failures} description={text.failuresHint}>
        <Bars label={text.failures} unit={text.numberPerDay} now={now} series={failuresOf} />
      </Card>
    </div>
  );
}

const WAITING = <Skeleton className="h-68 w-full" />;

interface MoneyProps extends ChartsProps {
  readonly label: string;
  readonly pick: (day: MetricsDay) => readonly TokenAmount[];
  /** Whether the values are totals of a day, of which today's still grows. */
  readonly isDaily?: boolean;
}

function Money({ label, now, before, token, pick, isDaily = false }: MoneyProps) {
  if (!now || !before) return WAITING;
  const unit = token && unitOf(token);
  const line = ({ days }: Period) => days.map((day) => chartNumber(pick(day), token));
  return (
    <TimeSeries
      label={unit ? text.inUnit(label, unit) : label}
      points={now.days.map(({ day }) => day)}
      values={line(now)}
      previous={line(before)}
      isLastOpen={isDaily}
      unit={unit === undefined ? '' : isDaily ? text.perDay(unit) : unit}
      formatPoint={formatDay}
      formatValue={(value) => `${twoDigits.format(value)}${unit ? ` ${unit}` : ''}`}
    />
  );
}

interface BarsProps {
  readonly label: string;
  readonly unit: string;
  readonly now: Period | undefined;
  readonly series: (days: readonly MetricsDay[]) => readonly BarSeries[];
}

function Bars({ label, unit, now, series }: BarsProps) {
  if (!now) return WAITING;
  const { days } = now;
  return (
    <StackedBars
      label={label}
      unit={unit}
      points={days.map(({ day }) => day)}
      formatPoint={formatDay}
      series={series(days)}
    />
  );
}

function movementOf(days: readonly MetricsDay[]): readonly BarSeries[] {
  return [
    { label: text.new, values: days.map((day) => day.new), fill: 'fill-chart-1', ground: 'bg-chart-1' },
    {
      label: text.resumed,
      values: days.map((day) => day.resumed),
      fill: 'fill-chart-2',
      ground: 'bg-chart-2',
    },
    {
      label: text.churned,
      values: days.map((day) => day.churned),
      isNegative: true,
      fill: 'fill-chart-3',
      ground: 'bg-chart-3',
    },
  ];
}

const REASONS = [
  ['INSUFFICIENT_FUNDS', 'fill-chart-3', 'bg-chart-3'],
  ['APPROVAL_REVOKED', 'fill-chart-4', 'bg-chart-4'],
  ['ACCOUNT_CLOSED', 'fill-chart-1', 'bg-chart-1'],
  ['ACCOUNT_FROZEN', 'fill-ghost', 'bg-ghost'],
] as const;

/** Failures by reason below the zero line, recovered subscriptions above it. */
function failuresOf(days: readonly MetricsDay[]): readonly BarSeries[] {
  const byReason = REASONS.map(([code, fill, ground]) => ({
    label: failures[code],
    values: days.map((day) => day.failedByCode.find((failed) => failed.code === code)?.count ?? 0),
    isNegative: true,
    fill,
    ground,
  }));
  const recovered = {
    label: text.recovered,
    values: days.map((day) => day.recovered),
    fill: 'fill-chart-2',
    ground: 'bg-chart-2',
  };
  // Reasons without failures would only clutter the legend.
  return [
    recovered,
    ...byReason.filter(({ values }, index) => index === 0 || values.some((value) => value > 0)),
  ];
}
