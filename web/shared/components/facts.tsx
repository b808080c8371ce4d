import type { ReactNode } from 'react';

interface FactsProps {
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[];
}

/** Labels with their values, one per line. Facts without a value are left out. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid gap-y-2.5">
      {facts
        .filter(({ value }) => value !== null && value !== undefined && value !== false)
        .map(({ label, value }) => (
          <div key={label} className="grid grid-cols-[minmax(7rem,2fr)_3fr] items-baseline gap-x-3">
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0 [&_time]:whitespace-normal">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
