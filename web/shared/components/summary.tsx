import type { ReactNode } from 'react';

interface SummaryProps {
  readonly facts: readonly { readonly label: string; readonly value: ReactNode; readonly hint?: ReactNode }[];
}

/** The facts that a page starts with, side by side; on a phone, one below the other. */
export function Summary({ facts }: SummaryProps) {
  return (
    <dl className="mb-4 grid gap-px overflow-hidden rounded-lg border border-line bg-line shadow-low sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      {facts.map(({ label, value, hint }) => (
        <div key={label} className="min-w-0 bg-surface p-4">
          <dt className="text-soft">{label}</dt>
          <dd className="mt-1">
            <span className="block font-semibold wrap-anywhere">{value}</span>
            {hint && <span className="mt-0.5 block text-xs text-soft">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
