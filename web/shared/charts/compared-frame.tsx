import type { ComponentProps } from 'react';
import { labels } from '../text/labels.ts';
import { ChartFrame, Legend } from './chart-frame.tsx';

/** Values over time, and those of the previous period. */
export interface ComparedValues {
  readonly label: string;
  readonly points: readonly string[];
  readonly values: readonly number[];
  readonly previous: readonly number[];
  readonly formatPoint: (point: string) => string;
  readonly formatValue: (value: number) => string;
  /** What the values count: `USDC per day`. */
  readonly unit: string;
  readonly height: number;
}

interface ComparedFrameProps extends ComparedValues {
  readonly children: ComponentProps<typeof ChartFrame>['children'];
}

/** The frame of a chart that compares two periods: legend, words and table. */
export function ComparedFrame(props: ComparedFrameProps) {
  const { label, points, values, previous, formatPoint, formatValue, height, children } = props;
  const amount = (numbers: readonly number[], index: number) => formatValue(numbers[index] ?? 0);
  return (
    <ChartFrame
      label={label}
      points={points}
      describe={(index) =>
        `${formatPoint(points[index] ?? '')}: ${amount(values, index)} (${labels.previousPeriod}: ${amount(previous, index)})`
      }
      height={height}
      legend={
        <Legend
          entries={[
            { label, className: 'bg-chart-1' },
            { label: labels.previousPeriod, className: 'bg-ghost' },
          ]}
        />
      }
      table={{
        headers: ['', label, labels.previousPeriod],
        rows: points.map((point, index) => [
          formatPoint(point),
          amount(values, index),
          amount(previous, index),
        ]),
      }}
    >
      {children}
    </ChartFrame>
  );
}

/** The upper end of an axis for values of both periods. */
export function highestOf({ values, previous }: ComparedValues): number {
  return Math.max(...values, ...previous) || 1;
}
