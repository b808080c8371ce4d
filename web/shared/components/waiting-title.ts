import { ApiError } from '../api/api-error.ts';
import { common } from '../text/common.ts';

/** The title of a page without its thing: while that loads, and if it cannot be loaded. */
export function waitingTitle(error: Error | null): string {
  if (!error) return common.loading;
  return error instanceof ApiError && error.code === 'not_found' ? common.notFound : common.failed;
}
