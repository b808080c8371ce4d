import { lazy, Suspense, useId, useState } from 'react';
import { labels } from '../text/labels.ts';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import type { PageQuery } from './query-samples.tsx';

// Loaded when it is first opened.
const QuerySamples = lazy(() =>
  import('./query-samples.tsx').then((file) => ({ default: file.QuerySamples })),
);

/** Shows the GraphQL of the page, to copy and to run with an API key. */
export function CopyQuery({ queries }: { readonly queries: readonly PageQuery[] }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={buttonClass('plain', 'max-sm:-ml-3')}
        title={labels.graphqlTitle}
      >
        <Icon name="code" />
        <span className="max-sm:sr-only">{labels.graphql}</span>
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        className="m-auto max-h-[80vh] w-[min(44rem,calc(100vw-2rem))] overflow-auto rounded-lg border border-line bg-surface p-4 text-ink shadow-high backdrop:bg-transparent"
      >
        <h2 className="mb-1 font-semibold">{labels.graphqlTitle}</h2>
        <p className="mb-3 text-soft">{labels.graphqlHint}</p>
        <Suspense>{isOpen && <QuerySamples queries={queries} />}</Suspense>
      </div>
    </>
  );
}
