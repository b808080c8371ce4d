import { AreaClosed, LinePath } from '@visx/shape';
import { scaleLinear, scalePoint } from 'd3-scale';
import { common } from '../text/common.ts';
import { Axes } from './axes.tsx';
import { ChartFrame, Legend } from './chart-frame.tsx';
import { MARGIN, STEPS } from './margin.ts';

interface TimeSeriesProps {
  readonly label: string;
  readonly points: readonly string[];
  readonly values: readonly number[];
  /** The values of the previous period, drawn as a dashed line. */
  readonly previous?: readonly number[];
  readonly formatPoint: (point: string) => string;
  readonly formatValue: (value: number) => string;
  /** What the values count: `USDC per day`. */
  readonly unit: string;
  readonly height?: number;
  /** Whether the last point is a total that still grows. Its line is dashed, as it would fall. */
  readonly isLastOpen?: boolean;
}

/** A line over time, with the previous period behind it. */
export function TimeSeries(props: TimeSeriesProps) {
  const {
    label,
    points,
    values,
    previous,
    formatPoint,
    formatValue,
    unit,
    height = 220,
    isLastOpen = false,
  } = props;
  const closed = isLastOpen && values.length > 1 ? values.slice(0, -1) : values;
  const highest = Math.max(...values, ...(previous ?? []));
  const max = highest > 0 ? highest : 1;
  const describe = (index: number) => {
    const before = previous?.[index];
    const now = `${formatPoint(points[index] ?? '')}: ${formatValue(values[index] ?? 0)}`;
    return before === undefined ? now : `${now} (${common.previousPeriod}: ${formatValue(before)})`;
  };
  return (
    <ChartFrame
      label={label}
      points={points}
      describe={describe}
      height={height}
      legend={
        previous && (
          <Legend
            entries={[
              { label, className: 'bg-chart-1' },
              { label: common.previousPeriod, className: 'bg-ghost' },
            ]}
          />
        )
      }
      table={{
        headers: ['', label, ...(previous ? [common.previousPeriod] : [])],
        rows: points.map((point, index) => [
          formatPoint(point),
          formatValue(values[index] ?? 0),
          ...(previous ? [formatValue(previous[index] ?? 0)] : []),
        ]),
      }}
    >
      {({ width, cursor }) => {
        const x = scalePoint(points, [MARGIN.left, width - MARGIN.right]);
        const y = scaleLinear([0, max], [height - MARGIN.bottom, MARGIN.top]).nice(STEPS);
        const xAt = (index: number) => x(points[index] ?? '') ?? 0;
        const line = (data: readonly number[]) => ({
          data: [...data],
          x: (_: number, index: number) => xAt(index),
          y: (value: number) => y(value),
        });
        return (
          <>
            <Axes {...{ x, y, points, formatPoint, unit, width, height }} />
            <AreaClosed {...line(closed)} yScale={y} className="fill-chart-1 opacity-10" />
            {previous && (
              <LinePath
                {...line(previous)}
                className="fill-none stroke-ghost"
                strokeWidth={1.5}
                strokeDasharray="3 3"
              />
            )}
            <LinePath {...line(closed)} className="fill-none stroke-chart-1" strokeWidth={2} />
            {closed !== values && (
              <line
                x1={xAt(values.length - 2)}
                y1={y(values.at(-2) ?? 0)}
                x2={xAt(values.length - 1)}
                y2={y(values.at(-1) ?? 0)}
                className="stroke-chart-1"
                strokeWidth={2}
                strokeDasharray="2 4"
              />
            )}
            {cursor !== undefined && (
              <>
                <line
                  x1={xAt(cursor)}
                  x2={xAt(cursor)}
                  y1={MARGIN.top}
                  y2={height - MARGIN.bottom}
                  className="stroke-edge"
                />
                <circle
                  cx={xAt(cursor)}
                  cy={y(values[cursor] ?? 0)}
                  r={4}
                  className="fill-chart-1 stroke-surface"
                  strokeWidth={2}
                />
              </>
            )}
          </>
        );
      }}
    </ChartFrame>
  );
}
