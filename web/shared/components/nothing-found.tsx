import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** Shown where no row matches the filters. */
export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon="search"
      title={labels.nothingFound}
      actions={<Button onClick={onClear}>{labels.clearFilters}</Button>}
    >
      {labels.nothingFoundHint}
    </EmptyState>
  );
}
