import { useId, useState } from 'react';
import type { Sample } from '../text/samples.ts';
import { CopyButton } from './copy-button.tsx';
import { moveFocus } from './move-focus.ts';

/** Code in one or several languages, to copy. */
export function CodeSample({ samples }: { readonly samples: readonly Sample[] }) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const shown = samples[index] ?? samples[0];
  if (!shown) return null;
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line">
      <div className="flex items-center justify-between gap-2 border-b border-line bg-sunken pr-2">
        <div role="tablist" className="flex min-w-0 overflow-x-auto" onKeyDown={moveFocus('[role=tab]')}>
          {samples.map(({ name }, tab) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${tab}`}
              aria-selected={name === shown.name}
              aria-controls={`${id}-panel`}
              tabIndex={name === shown.name ? 0 : -1}
              onClick={() => setIndex(tab)}
              onFocus={() => setIndex(tab)}
              className="border-b-2 border-transparent px-3 py-1.5 whitespace-nowrap text-soft -outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={shown.code} />
      </div>
      <pre
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${index}`}
        // A long line scrolls, also by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-96 overflow-auto bg-surface p-3 font-mono text-[0.8125rem] leading-5 -outline-offset-2"
      >
        {shown.code}
      </pre>
    </div>
  );
}
