import { Link } from '@tanstack/react-router';
import { DailyTotals } from '../../../shared/charts/daily-totals.tsx';
import { type BarSeries, StackedBars } from '../../../shared/charts/stacked-bars.tsx';
import { TimeSeries } from '../../../shared/charts/time-series.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Skeleton } from '../../../shared/components/skeleton.tsx';
import {
  approximateAmount,
  formatAmount,
  type TokenAmount,
  unitOf,
} from '../../../shared/money/token-amount.ts';
import { overview as text } from '../../../shared/text/overview.ts';
import { failures } from '../../../shared/text/statuses.ts';
import { formatDay } from './format-day.ts';
import { amountInToken, chartNumber, type MetricsDay, type MoneyDay, type Period } from './metrics.ts';

const twoDigits = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The height of a chart while its data loads. */
const WAITING = <Skeleton className="h-75 w-full" />;
const HEIGHT_PX = 240;

interface MoneyChartProps {
  readonly label: string;
  /** Undefined while it loads. */
  readonly period: Period | undefined;
  readonly token: TokenAmount | undefined;
  readonly pick: (day: MoneyDay) => readonly TokenAmount[];
  /** Whether the values are totals of a day, which are bars. */
  readonly isDaily: boolean;
}

/** An amount day by day, with the previous period behind it. */
export function MoneyChart({ label, period, token, pick, isDaily }: MoneyChartProps) {
  if (!period) return WAITING;
  const unit = token && unitOf(token);
  const line = (days: readonly MoneyDay[]) => days.map((day) => chartNumber(pick(day), token));
  const Chart = isDaily ? DailyTotals : TimeSeries;
  return (
    <Chart
      label={unit ? text.inUnit(label, unit) : label}
      points={period.days.map(({ day }) => day)}
      values={line(period.days)}
      previous={line(period.previous.days)}
      unit={unit === undefined ? '' : isDaily ? text.perDay(unit) : unit}
      formatPoint={formatDay}
      formatValue={(value) => `${twoDigits.format(value)}${unit ? ` ${unit}` : ''}`}
      height={HEIGHT_PX}
    />
  );
}

interface CountChartsProps {
  /** Undefined while it loads. */
  readonly period: Period | undefined;
  readonly token: TokenAmount | undefined;
}

/** The subscriptions and the failed attempts, day by day. */
export function CountCharts({ period, token }: CountChartsProps) {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card title={text.mrrMovement} description={text.mrrMovementHint}>
        <Bars
          label={text.mrrMovement}
          unit={token ? text.perDay(unitOf(token)) : ''}
          period={period}
          series={(days) => mrrMovementOf(days, token)}
        />
      </Card>
      <Card title={text.movement} description={text.movementHint}>
        <Bars label={text.movement} unit={text.subscriptionsPerDay} period={period} series={movementOf} />
      </Card>
      <Card
        title={text.failures}
        description={period && <Recovery total={period.total} token={token} />}
        actions={
          <Link
            to="/payments"
            search={{ failure: 'INSUFFICIENT_FUNDS', ...(period?.days[0] && { from: period.days[0].day }) }}
            className="text-accent"
          >
            {text.viewFailed}
          </Link>
        }
      >
        <Bars label={text.failures} unit={text.attemptsPerDay} period={period} series={failuresOf} />
      </Card>
    </div>
  );
}

/** What became of the subscriptions after a failure. */
function Recovery({
  total: { failed, recovered, expired, recoveredAmount },
  token,
}: {
  readonly total: Period['total'];
  readonly token: TokenAmount | undefined;
}) {
  if (failed + recovered + expired === 0) return text.noFailure;
  const amount = token && formatAmount(amountInToken(recoveredAmount, token));
  return text.afterFailure(recovered, expired, amount);
}

interface BarsProps {
  readonly label: string;
  readonly unit: string;
  readonly period: Period | undefined;
  readonly series: (days: readonly MetricsDay[]) => readonly BarSeries[];
}

function Bars({ label, unit, period, series }: BarsProps) {
  if (!period) return WAITING;
  const { days } = period;
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

const MRR_MOVEMENTS = [
  ['new', 'fill-chart-1', 'bg-chart-1'],
  ['reactivation', 'fill-chart-2', 'bg-chart-2'],
  ['expansion', 'fill-good', 'bg-good'],
  ['contraction', 'fill-chart-4', 'bg-chart-4'],
  ['churn', 'fill-chart-3', 'bg-chart-3'],
] as const;
const LOSSES: readonly string[] = ['contraction', 'churn'];

/** Why the recurring revenue in a token changed. What moved between plans is a gain or a loss of a plan. */
function mrrMovementOf(days: readonly MetricsDay[], token: TokenAmount | undefined): readonly BarSeries[] {
  const ofToken = days.map(({ mrrMovement }) => mrrMovement.find(({ mint }) => mint === token?.mint));
  const numberOf = (amount: string | undefined) =>
    token && amount ? approximateAmount({ ...token, amount }) : 0;
  const series: BarSeries[] = MRR_MOVEMENTS.map(([name, fill, ground]) => ({
    label: text.mrrMovements[name],
    values: ofToken.map((movement) => numberOf(movement?.[name])),
    isNegative: LOSSES.includes(name),
    fill,
    ground,
  }));
  const moved = ofToken.map((movement) => numberOf(movement?.moved));
  if (moved.every((value) => value === 0)) return series;
  const ghost = { fill: 'fill-ghost', ground: 'bg-ghost' };
  return [
    ...series,
    { label: text.mrrMovedHere, values: moved.map((value) => Math.max(value, 0)), ...ghost },
    {
      label: text.mrrMovedAway,
      values: moved.map((value) => Math.max(-value, 0)),
      isNegative: true,
      ...ghost,
    },
  ];
}

const REASONS = [
  ['INSUFFICIENT_FUNDS', 'fill-chart-3', 'bg-chart-3'],
  ['APPROVAL_REVOKED', 'fill-chart-4', 'bg-chart-4'],
  ['ACCOUNT_CLOSED', 'fill-chart-1', 'bg-chart-1'],
  ['ACCOUNT_FROZEN', 'fill-ghost', 'bg-ghost'],
] as const;

/** Failed attempts by reason. */
function failuresOf(days: readonly MetricsDay[]): readonly BarSeries[] {
  const byReason = REASONS.map(([code, fill, ground]) => ({
    label: failures[code],
    values: days.map((day) => day.failedByCode.find((failed) => failed.code === code)?.count ?? 0),
    fill,
    ground,
  }));
  // Reasons without failures would only clutter the legend.
  return byReason.filter(({ values }, index) => index === 0 || values.some((value) => value > 0));
}
