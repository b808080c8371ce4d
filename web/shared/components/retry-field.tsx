import type { RetryPolicy } from '../../generated/graphql.ts';
import { retries as text } from '../text/retries.ts';
import { Field } from './field.tsx';
import { optionsOf } from './filter-options.ts';

interface RetryFieldProps {
  readonly error: string | undefined;
  readonly value: RetryPolicy;
  readonly onChange: (policy: RetryPolicy) => void;
}

/** A field for how failed payments of a plan are retried, with a sentence about the chosen policy. */
export function RetryField({ error, value, onChange }: RetryFieldProps) {
  return (
    <Field label={text.label} hint={text.hints[value]} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value as RetryPolicy)}>
          {optionsOf(text.names).map((policy) => (
            <option key={policy.value} value={policy.value}>
              {policy.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
