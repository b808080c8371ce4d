import { Field } from '../../../shared/components/field.tsx';
import type { ApiForm } from '../../../shared/components/use-api-form.ts';
import { eventHints } from '../../../shared/text/events.ts';

/** The types of sample events that dues can record. */
export const SAMPLE_TYPES = Object.keys(eventHints).filter((type) => !type.startsWith('endpoint.'));

interface SampleTypeFieldProps {
  readonly apiForm: ApiForm<{ type: string }>;
  readonly label: string;
  readonly types: readonly string[];
}

/** The field for the type of a sample event. */
export function SampleTypeField({ apiForm, label, types }: SampleTypeFieldProps) {
  const { form, errorOf } = apiForm;
  return (
    <Field label={label} error={errorOf('type')}>
      {(control) => (
        <select {...control} {...form.register('type')}>
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
