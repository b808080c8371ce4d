const WIDTH = 96;
const HEIGHT = 28;
const PADDING = 2;

/**
 * A tiny line without axes; the number beside it says what it shows. It is drawn without the
 * libraries of the charts, so that the numbers do not wait for them.
 */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const min = Math.min(...values, 0);
  const max = Math.max(...values);
  const span = (max > 0 ? max : 1) - min;
  const step = (WIDTH - 2 * PADDING) / Math.max(values.length - 1, 1);
  const y = (value: number) => HEIGHT - PADDING - ((value - min) / span) * (HEIGHT - 2 * PADDING);
  const points = values.map((value, index) => `${PADDING + index * step},${y(value).toFixed(2)}`);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      height={HEIGHT}
      className="w-24 min-w-0 shrink"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline
        points={points.join(' ')}
        className="fill-none stroke-chart-1"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
