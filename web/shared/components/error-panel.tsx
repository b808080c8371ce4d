import { ApiError } from '../api/api-error.ts';
import { labels } from '../text/labels.ts';
import { Button } from './button.tsx';
import { ShortId } from './copy-button.tsx';
import { Icon } from './icon.tsx';

interface ErrorPanelProps {
  readonly error: Error;
  readonly onRetry?: () => unknown;
}

/** An error with the id of its request, and a button to retry. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const { code, requestId } = error instanceof ApiError ? error : { code: undefined, requestId: undefined };
  const isMissing = code === 'not_found';
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-low"
    >
      <span className="grid size-8 place-items-center rounded-full bg-bad-ground text-bad">
        <Icon name="alert" />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{isMissing ? labels.notFound : labels.failed}</p>
        <p className="mt-0.5 text-soft">{isMissing ? labels.notFoundHint : error.message}</p>
        {requestId && (
          <p className="mt-2 flex items-center gap-1 text-xs text-soft">
            {labels.requestId} <ShortId value={requestId} />
          </p>
        )}
      </div>
      {onRetry && !isMissing && (
        <Button icon="refresh" onClick={() => void onRetry()}>
          {labels.retry}
        </Button>
      )}
    </div>
  );
}
