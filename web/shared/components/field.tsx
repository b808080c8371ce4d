import { type ReactNode, useId } from 'react';

export const inputClass =
  'block min-h-8 w-full rounded-md border border-edge bg-surface px-2.5 py-1 text-ink placeholder:text-soft aria-invalid:border-bad max-sm:text-base';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The control; give it these attributes. */
  readonly children: (attributes: {
    readonly id: string;
    readonly className: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

/** A labelled control of a form, with a hint and the error of its argument. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children({
        id,
        className: inputClass,
        'aria-describedby': describedBy,
        'aria-invalid': Boolean(error),
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-xs leading-4 text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
