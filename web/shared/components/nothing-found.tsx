import { common } from '../text/common.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** Shown where no row matches the filters. */
export function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon="search"
      title={common.nothingFound}
      actions={<Button onClick={onClear}>{common.clearFilters}</Button>}
    >
      {common.nothingFoundHint}
    </EmptyState>
  );
}
