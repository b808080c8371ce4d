/** Returns a URL without its path and query, because providers put keys into them. */
export function publicPart(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}

/**
 * Removes possible secrets from the URLs in a text, because errors of `fetch` name the whole URL.
 */
export function withoutUrlSecrets(text: string): string {
  return text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>]+/gi, (url) => {
    const parsed = URL.parse(url);
    if (!parsed) return '…';
    const { protocol, host, pathname, search, username } = parsed;
    const isPublic = ['', '/'].includes(pathname) && search === '' && username === '';
    return protocol === 'file:' || protocol === 'node:' ? url : `${protocol}//${host}${isPublic ? '' : '/…'}`;
  });
}

/**
 * Returns the message of the innermost cause. The errors of `fetch` and of the gRPC client
 * themselves only say that the call failed.
 */
export function rootMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(rootMessage).join(', ');
  }
  if (!(error instanceof Error)) return withoutUrlSecrets(String(error));
  return error.cause === undefined ? withoutUrlSecrets(error.message) : rootMessage(error.cause);
}
