import type { ArgumentPath } from './argument-paths.ts';

/** An unknown name comes from the caller and may have any length. */
const MAX_PARAM = 200;

/**
 * Formats a path as `filter.walletAddress`. The `input` of a mutation is left out, as in REST and
 * in use-case errors. An error about no argument is about the document: `query`.
 */
export function paramFor(path: ArgumentPath | undefined): string {
  if (!path) return 'query';
  const [first, ...rest] = path;
  return (first === 'input' && rest.length > 0 ? rest : path).join('.').slice(0, MAX_PARAM);
}
