import type { ArgumentPath } from './argument-places.ts';

/** Of a name that we do not know: it is the caller's, and of any length. */
const MAX_PARAM = 200;

/**
 * `filter.walletAddress`. What stands in the `input` of a mutation goes without that, which only holds it together: it is
 * called as in REST, and as where a use case refuses it. What is about no argument is about the document.
 */
export function paramFor(path: ArgumentPath | undefined): string {
  if (!path) return 'query';
  const [first, ...rest] = path;
  return (first === 'input' && rest.length > 0 ? rest : path).join('.').slice(0, MAX_PARAM);
}
