import { Button } from '../../shared/components/button.tsx';
import { portal } from '../../shared/text/portal.ts';
import { Problem } from './frame.tsx';

interface FailedProps {
  readonly error: Error;
  readonly onRetry: () => Promise<void>;
}

/** Stands for what could not be loaded: why, and a way to try again. */
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
