import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { buttonClass } from '../../shared/components/button.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { ErrorPanel } from '../../shared/components/error-panel.tsx';
import { Page } from '../../shared/components/page.tsx';
import { labels } from '../../shared/text/labels.ts';
import { shell } from '../../shared/text/shell.ts';

/** Shown instead of a page that could not be loaded. */
export function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <h1 className="sr-only">{labels.failed}</h1>
      <ErrorPanel
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => router.invalidate()}
      />
    </div>
  );
}

interface MissingPageProps {
  /** A sentence about the missing object or page. */
  readonly title?: string;
}

/** Shown instead of an object that the merchant does not have in this environment. */
export function MissingPage({ title = labels.notFoundHint }: MissingPageProps) {
  return (
    <Page title={labels.notFound}>
      <EmptyState
        icon="help"
        title={title}
        actions={
          <Link to="/" className={buttonClass()}>
            {shell.pages.overview}
          </Link>
        }
      >
        {shell.missingHint}
      </EmptyState>
    </Page>
  );
}

/** Shown for an unknown path. */
export function MissingPath() {
  return <MissingPage title={shell.missingPath} />;
}
