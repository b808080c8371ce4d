import { Bar } from '@visx/shape';
import { scaleBand, scaleLinear } from 'd3-scale';
import { Axes } from './axes.tsx';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { MARGIN, STEPS } from './margin.ts';

export interface BarSeries {
  readonly label: string;
  readonly values: readonly number[];
  /** Losses, which are drawn below the zero line. */
  readonly isNegative?: boolean;
  /** Classes of the bars and of the legend: `fill-chart-1`, `bg-chart-1`. */
  readonly fill: string;
  readonly ground: string;
}

interface StackedBarsProps {
  readonly label: string;
  readonly points: readonly string[];
  readonly series: readonly BarSeries[];
  readonly formatPoint: (point: string) => string;
  /** What the bars count: `Checkouts per day`. */
  readonly unit: string;
  readonly height?: number;
}

/** Stacked bars for each point: gains above zero, losses below it. */
export function StackedBars({ label, points, series, formatPoint, unit, height = 220 }: StackedBarsProps) {
  const sumAt = (index: number, isNegative: boolean) =>
    series
      .filter((bars) => Boolean(bars.isNegative) === isNegative)
      .reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  const maxGain = Math.max(...points.map((_, index) => sumAt(index, false)), 1);
  const maxLoss = Math.max(...points.map((_, index) => sumAt(index, true)), 0);
  const format = new Intl.NumberFormat();
  return (
    <ChartFrame
      label={label}
      points={points}
      height={height}
      describe={(index) =>
        `${formatPoint(points[index] ?? '')}: ${series
          .map(({ label: name, values }) => `${name} ${format.format(values[index] ?? 0)}`)
          .join(', ')}`
      }
      legend={<Legend entries={series.map((bars) => ({ label: bars.label, className: bars.ground }))} />}
      table={{
        headers: ['', ...series.map((bars) => bars.label)],
        rows: points.map((point, index) => [
          formatPoint(point),
          ...series.map(({ values }) => format.format(values[index] ?? 0)),
        ]),
      }}
    >
      {({ width, cursor }) => {
        const x = scaleBand(points, [MARGIN.left, width - MARGIN.right]).padding(0.25);
        const y = scaleLinear([-maxLoss, maxGain], [height - MARGIN.bottom, MARGIN.top]).nice(STEPS);
        return (
          <>
            <Axes {...{ x, y, points, formatPoint, unit, width, height }} isCount />
            {points.map((point, index) => {
              const heights = { up: 0, down: 0 };
              return (
                <g key={point} opacity={cursor === undefined || cursor === index ? 1 : 0.45}>
                  {series.map(({ label: name, values, isNegative, fill }) => {
                    const value = values[index] ?? 0;
                    const direction = isNegative ? 'down' : 'up';
                    const from = heights[direction];
                    heights[direction] += value;
                    const top = isNegative ? y(-from) : y(from + value);
                    const size = Math.abs(y(from + value) - y(from));
                    return (
                      <Bar
                        key={name}
                        x={x(point) ?? 0}
                        y={top}
                        width={x.bandwidth()}
                        height={size}
                        rx={Math.min(2, x.bandwidth() / 4)}
                        className={fill}
                      />
                    );
                  })}
                </g>
              );
            })}
          </>
        );
      }}
    </ChartFrame>
  );
}
