import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface LoadedProps<Thing> {
  /** Undefined while it loads. */
  readonly thing: Thing | null | undefined;
  readonly error: Error | null;
  readonly onRetry: () => unknown;
  readonly children: (thing: Thing) => ReactNode;
}

/** Shows a thing, a skeleton while it loads, or the error if it cannot be loaded. */
export function Loaded<Thing>({ thing, error, onRetry, children }: LoadedProps<Thing>) {
  if (thing) return children(thing);
  if (error) return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Card flush>
      <SkeletonRows />
    </Card>
  );
}
