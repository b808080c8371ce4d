import type { ArgumentPath } from './argument-paths.ts';

/** Maximum length of a param. The name of an unknown field comes from the caller, in any length. */
const MAX_PARAM = 200;

/**
 * Formats a path as `filter.walletAddress`. The `input` of a mutation is left out, as in REST and
 * in use-case errors. Without a path the error is about the whole document: `query`.
 */
export function paramFor(path: ArgumentPath | undefined): string {
  if (!path) return 'query';
  const [first, ...rest] = path;
  return (first === 'input' && rest.length > 0 ? rest : path).join('.').slice(0, MAX_PARAM);
}
