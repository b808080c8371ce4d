import { labels } from '../text/labels.ts';

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

interface ChangeProps {
  /** Undefined while it loads, and where there is no number. */
  readonly now: number | undefined;
  readonly before: number | undefined;
  /** Whether an increase is bad: failures, churn. */
  readonly isIncreaseBad?: boolean;
  /** Whether the numbers are shares, such as 0.5 for 50%. */
  readonly isRate?: boolean;
}

/** The change of a number since the previous period. */
export function Change({ now, before, isIncreaseBad = false, isRate = false }: ChangeProps) {
  if (now === undefined || before === undefined) return <span />;
  if (now === before) return <span className="text-soft">{labels.noChange}</span>;
  // "-100 %" says nothing: it may be one less.
  if (now === 0) return <span className="text-soft">{labels.fewerThanBefore}</span>;
  const tone = now > before === isIncreaseBad ? 'text-bad' : 'text-good';
  const increase = isRate ? percent.format(now) : `+${new Intl.NumberFormat().format(now)}`;
  const text = before === 0 ? increase : percent.format(now / before - 1);
  return (
    <span className={tone} title={labels.previousPeriod}>
      {text}
    </span>
  );
}
