import { Bar } from '@visx/shape';
import { scaleBand, scaleLinear } from 'd3-scale';
import { Axes } from './axes.tsx';
import { ComparedFrame, type ComparedValues, highestOf } from './compared-frame.tsx';
import { MARGIN, STEPS } from './margin.ts';

/** The part of its width by which a bar is narrower, on each side, than that of the previous period. */
const INSET = 0.2;

/**
 * A bar for each day, before a quieter one of the previous period. The last bar is paler, because
 * its day is not over.
 */
export function DailyTotals(props: ComparedValues) {
  const { points, values, previous, formatPoint, unit, height } = props;
  const last = points.length - 1;
  return (
    <ComparedFrame {...props}>
      {({ width, cursor }) => {
        const x = scaleBand(points, [MARGIN.left, width - MARGIN.right]).padding(0.15);
        const y = scaleLinear([0, highestOf(props)], [height - MARGIN.bottom, MARGIN.top]).nice(STEPS);
        const bar = (value: number) => ({ y: y(value), height: y(0) - y(value), rx: 2 });
        const inset = x.bandwidth() * INSET;
        return (
          <>
            <Axes {...{ x, y, points, formatPoint, unit, width, height }} />
            {points.map((point, index) => {
              const left = x(point) ?? 0;
              return (
                <g key={point} opacity={cursor === undefined || cursor === index ? 1 : 0.45}>
                  <Bar
                    {...bar(previous[index] ?? 0)}
                    x={left}
                    width={x.bandwidth()}
                    className="fill-ghost opacity-40"
                  />
                  <Bar
                    {...bar(values[index] ?? 0)}
                    x={left + inset}
                    width={x.bandwidth() - 2 * inset}
                    className={`fill-chart-1 ${index === last ? 'opacity-60' : ''}`}
                  />
                </g>
              );
            })}
          </>
        );
      }}
    </ComparedFrame>
  );
}
