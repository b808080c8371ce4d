import { useState } from 'react';
import { Icon } from '../../shared/components/icon.tsx';
import { labels } from '../../shared/text/labels.ts';

/** An address, shortened in the middle unless `isWhole`. The button copies all of it. */
export function CopiedText({
  value,
  isWhole = false,
}: {
  readonly value: string;
  readonly isWhole?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="inline-flex items-center gap-1">
      <code className="min-w-0 font-mono text-sm break-all" title={value}>
        {isWhole ? value : `${value.slice(0, 6)}…${value.slice(-4)}`}
      </code>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={labels.copy}
        className="inline-grid size-8 shrink-0 place-items-center rounded-sm text-soft hover:bg-sunken hover:text-ink"
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
        <span role="status" className="sr-only">
          {isCopied ? labels.copied : ''}
        </span>
      </button>
    </span>
  );
}
