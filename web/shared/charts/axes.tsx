import type { ScaleBand, ScaleLinear, ScalePoint } from 'd3-scale';
import { MARGIN, STEPS } from './margin.ts';

interface AxesProps {
  readonly x: ScalePoint<string> | ScaleBand<string>;
  readonly y: ScaleLinear<number, number>;
  readonly points: readonly string[];
  readonly formatPoint: (point: string) => string;
  /** What the values count: `USDC per day`. */
  readonly unit: string;
  readonly width: number;
  readonly height: number;
  /** Whether the values are counts, which need no labels between whole numbers. */
  readonly isCount?: boolean;
}

/** Width of a label with the space after it. */
const LABEL_PX = 90;

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/**
 * The grid lines and labels of a chart: only a few, so that the data stands out. The unit stands
 * once, above the values, and the newest point has a label. Losses, below zero, have no sign.
 * `@visx/axis` would add 13 kB, for code that wraps lines of text.
 */
export function Axes({ x, y, points, formatPoint, unit, width, height, isCount = false }: AxesProps) {
  const last = points.length - 1;
  const step = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(width / LABEL_PX))));
  const ticks = y.ticks(STEPS).filter((tick) => !isCount || Number.isInteger(tick));
  return (
    <g className="fill-soft text-[0.6875rem]">
      <text x={0} y={0} dy="0.9em">
        {unit}
      </text>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
          />
          <text x={MARGIN.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {compact.format(Math.abs(tick))}
          </text>
        </g>
      ))}
      {points.map((point, index) =>
        (last - index) % step === 0 ? (
          <text
            key={point}
            x={(x(point) ?? 0) + (index === last ? x.bandwidth() : x.bandwidth() / 2)}
            y={height - MARGIN.bottom + 16}
            textAnchor={index === last ? 'end' : 'middle'}
          >
            {formatPoint(point)}
          </text>
        ) : null,
      )}
    </g>
  );
}
