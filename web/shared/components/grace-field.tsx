import type { ReactNode } from 'react';
import { grace as text } from '../text/grace.ts';
import { formatDuration } from '../time/duration.ts';
import { Field } from './field.tsx';

const DAY = 86_400;
/** The durations to choose from, in seconds. The API takes any other too. */
const PRESETS = [0, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY];
const OF_ENVIRONMENT = 'environment';

/** A grace in words: `3 days`, `none`. */
export function formatGrace(seconds: number): string {
  return seconds === 0 ? text.none : formatDuration(seconds);
}

interface GraceFieldProps<Value> {
  readonly hint?: ReactNode;
  readonly error: string | undefined;
  /** In seconds; null for the grace of the environment. */
  readonly value: Value;
  /** The grace of the environment, for a plan, which need not have its own. */
  readonly ofEnvironment?: null extends Value ? number : undefined;
  readonly onChange: (seconds: Value) => void;
}

/** A field for the time for which a subscription still gives access after its last retry. */
export function GraceField<Value extends number | null>(props: GraceFieldProps<Value>) {
  const { hint = text.hint, error, value, ofEnvironment, onChange } = props;
  const seconds = value === null || PRESETS.includes(value) ? PRESETS : [...PRESETS, value];
  return (
    <Field label={text.label} hint={hint} error={error}>
      {(control) => (
        <select
          {...control}
          value={value ?? OF_ENVIRONMENT}
          onChange={({ target }) =>
            onChange((target.value === OF_ENVIRONMENT ? null : Number(target.value)) as Value)
          }
        >
          {ofEnvironment !== undefined && (
            <option value={OF_ENVIRONMENT}>{text.ofEnvironment(formatGrace(ofEnvironment))}</option>
          )}
          {seconds
            .toSorted((a, b) => a - b)
            .map((preset) => (
              <option key={preset} value={preset}>
                {formatGrace(preset)}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
