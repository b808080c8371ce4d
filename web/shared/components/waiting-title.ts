import { ApiError } from '../api/api-error.ts';
import { labels } from '../text/labels.ts';

/** The title of a detail page while its data loads, or if the data cannot be loaded. */
export function waitingTitle(error: Error | null): string {
  if (!error) return labels.loading;
  return error instanceof ApiError && error.code === 'not_found' ? labels.notFound : labels.failed;
}
