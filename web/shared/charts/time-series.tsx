import { AreaClosed, LinePath } from '@visx/shape';
import { scaleLinear, scalePoint } from 'd3-scale';
import { Axes } from './axes.tsx';
import { ComparedFrame, type ComparedValues, highestOf } from './compared-frame.tsx';
import { MARGIN, STEPS } from './margin.ts';

/** A line over time, with the previous period as a dashed line behind it. */
export function TimeSeries(props: ComparedValues) {
  const { points, values, previous, formatPoint, unit, height } = props;
  return (
    <ComparedFrame {...props}>
      {({ width, cursor }) => {
        const x = scalePoint(points, [MARGIN.left, width - MARGIN.right]);
        const y = scaleLinear([0, highestOf(props)], [height - MARGIN.bottom, MARGIN.top]).nice(STEPS);
        const xAt = (index: number) => x(points[index] ?? '') ?? 0;
        const line = (data: readonly number[]) => ({
          data: [...data],
          x: (_: number, index: number) => xAt(index),
          y: (value: number) => y(value),
        });
        return (
          <>
            <Axes {...{ x, y, points, formatPoint, unit, width, height }} />
            <AreaClosed {...line(values)} yScale={y} className="fill-chart-1 opacity-10" />
            <LinePath
              {...line(previous)}
              className="fill-none stroke-ghost"
              strokeWidth={1.5}
              strokeDasharray="3 3"
            />
            <LinePath {...line(values)} className="fill-none stroke-chart-1" strokeWidth={2} />
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
    </ComparedFrame>
  );
}
