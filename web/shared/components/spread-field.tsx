import { spread as text } from '../text/spread.ts';
import { formatDuration } from '../time/duration.ts';
import { Field } from './field.tsx';

/** The durations to choose from, in seconds. The API takes any other too. */
const PRESETS = [0, 60, 300, 600, 1_800, 3_600];
/** The API allows a tenth of the interval. */
const PARTS_OF_INTERVAL = 10;

/** When payments are collected, in words: `when they are due`, `within 10 minutes after they are due`. */
export function formatSpread(seconds: number): string {
  return seconds === 0 ? text.atOnce : text.within(formatDuration(seconds));
}

interface SpreadFieldProps {
  readonly error: string | undefined;
  /** In seconds. */
  readonly value: number;
  /** The interval of the plan, in seconds. */
  readonly interval: number;
  readonly onChange: (seconds: number) => void;
}

/** A field for the time after their due date within which payments are first attempted. */
export function SpreadField({ error, value, interval, onChange }: SpreadFieldProps) {
  const allowed = PRESETS.filter((seconds) => seconds * PARTS_OF_INTERVAL <= interval);
  const seconds = allowed.includes(value) ? allowed : [...allowed, value];
  return (
    <Field label={text.label} hint={text.hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(Number(target.value))}>
          {seconds
            .toSorted((a, b) => a - b)
            .map((preset) => (
              <option key={preset} value={preset}>
                {formatSpread(preset)}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
