import { useState } from 'react';
import { Field, inputClass } from '../../../shared/components/field.tsx';
import { plan as text } from '../../../shared/text/plan.ts';
import { formatDuration } from '../../../shared/time/duration.ts';

const SECONDS = { hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof SECONDS;

interface DurationFieldProps {
  readonly label: string;
  readonly error: string | undefined;
  /** Durations in seconds; 0 is the choice of none. */
  readonly presets: readonly number[];
  /** The label of 0. */
  readonly none?: string;
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

/** A field for a duration: a preset, or any number of hours or days. */
export function DurationField({ label, error, presets, none, value, onChange }: DurationFieldProps) {
  const [isCustom, setCustom] = useState(false);
  const [unit, setUnit] = useState<Unit>('days');
  const [count, setCount] = useState('1');
  const change = (newCount: string, newUnit: Unit) => {
    setCount(newCount);
    setUnit(newUnit);
    onChange(Math.round(Number(newCount) * SECONDS[newUnit]));
  };
  return (
    <div>
      <Field label={label} error={error}>
        {(control) => (
          <select
            {...control}
            value={isCustom ? 'custom' : value}
            onChange={({ target }) => {
              setCustom(target.value === 'custom');
              if (target.value === 'custom') change(count, unit);
              else onChange(Number(target.value));
            }}
          >
            {presets.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? none : formatDuration(seconds)}
              </option>
            ))}
            <option value="custom">{text.custom}</option>
          </select>
        )}
      </Field>
      {isCustom && (
        <div className="mt-2 grid grid-cols-2 gap-2">
          <input
            type="number"
            min="1"
            step="1"
            aria-label={`${label}: ${text.customCount}`}
            value={count}
            onChange={({ target }) => change(target.value, unit)}
            className={inputClass}
          />
          <select
            aria-label={`${label}: ${text.customUnit}`}
            value={unit}
            onChange={({ target }) => change(count, target.value as Unit)}
            className={inputClass}
          >
            <option value="hours">{text.units.hours}</option>
            <option value="days">{text.units.days}</option>
          </select>
        </div>
      )}
    </div>
  );
}
