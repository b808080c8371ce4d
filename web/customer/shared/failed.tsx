import { Button } from '../../shared/components/button.tsx';
import { portal } from '../../shared/text/portal.ts';
import { Problem } from './frame.tsx';

interface FailedProps {
  readonly error: Error;
  readonly onRetry: () => Promise<void>;
}

/** Shown instead of data that could not be loaded: the error, and a button to retry. */
export function Failed({ error, onRetry }: FailedProps) {
  return (
    <div className="grid justify-items-start gap-3">
      <Problem>{error.message}</Problem>
      <Button className="min-h-11" onClick={() => void onRetry()}>
        {portal.retry}
      </Button>
    </div>
  );
}
