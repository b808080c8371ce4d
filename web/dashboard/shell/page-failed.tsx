import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { buttonClass } from '../../shared/components/button.tsx';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { ErrorPanel } from '../../shared/components/error-panel.tsx';
import { Page } from '../../shared/components/page.tsx';
import { common } from '../../shared/text/common.ts';
import { shell } from '../../shared/text/shell.ts';

/** Stands for a page that could not be loaded. */
export function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className="mx-auto max-w-2xl p-6">
      <ErrorPanel
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => router.invalidate()}
      />
    </div>
  );
}

/** Stands for a path that no page has. */
export function MissingPage() {
  return (
    <Page title={common.notFound}>
      <EmptyState
        icon="help"
        title={common.notFound}
        actions={
          <Link to="/" className={buttonClass()}>
            {shell.pages.overview}
          </Link>
        }
      >
        {common.notFoundHint}
      </EmptyState>
    </Page>
  );
}
