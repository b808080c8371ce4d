import { ApiError } from '../api/api-error.ts';
import { common } from '../text/common.ts';

/** The title of a detail page while its data loads, or if the data cannot be loaded. */
export function waitingTitle(error: Error | null): string {
  if (!error) return common.loading;
  return error instanceof ApiError && error.code === 'not_found' ? common.notFound : common.failed;
}
