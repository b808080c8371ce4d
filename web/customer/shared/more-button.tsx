import { useState } from 'react';
import { Button } from '../../shared/components/button.tsx';
import { portal } from '../../shared/text/portal.ts';
import { Problem } from './frame.tsx';

/** Loads more of a list, and shows the error if that fails. */
export function MoreButton({ onMore }: { readonly onMore: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const loadMore = async () => {
    setProblem(undefined);
    try {
      await onMore();
    } catch (cause) {
      setProblem((cause as Error).message);
    }
  };
  return (
    <div className="grid justify-items-start gap-3">
      {problem && <Problem>{problem}</Problem>}
      <Button className="min-h-11" onClick={() => void loadMore()}>
        {portal.more}
      </Button>
    </div>
  );
}
