import { type ReactNode, useState } from 'react';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Copies a text when called, and says for a moment that it is copied. */
function useCopy(text: string): readonly [boolean, () => Promise<void>] {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return [isCopied, copy];
}

/** A button in words that copies a text and confirms it. */
export function CopyTextButton({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const [isCopied, copy] = useCopy(text);
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      {children}
      <span role="status" className="sr-only">
        {isCopied ? labels.copied : ''}
      </span>
    </Button>
  );
}

/** Copies a text and confirms it. */
export function CopyButton({
  text,
  label = labels.copy,
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isCopied, copy] = useCopy(text);
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={label}
      title={label}
      className="inline-grid size-6 shrink-0 place-items-center rounded-sm text-soft hover:bg-sunken hover:text-ink"
    >
      <Icon name={isCopied ? 'check' : 'copy'} className="size-3.5" />
      <span role="status" className="sr-only">
        {isCopied ? labels.copied : ''}
      </span>
    </button>
  );
}

/** An address, id or signature, shortened in the middle. The title and the copy are complete. */
export function ShortId({ value, copies = true }: { readonly value: string; readonly copies?: boolean }) {
  const short = value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value;
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <code className="font-mono text-[0.8125rem]" title={value}>
        {short}
      </code>
      {copies && <CopyButton text={value} />}
    </span>
  );
}
