/** A URL without the path and query, because providers put keys into them. */
export function publicPart(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}

/** Removes possible secrets from the URLs in a text: fetch errors name the whole URL. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>]+/gi, (url) => {
    const parsed = URL.parse(url);
    if (!parsed) return '…';
    const { protocol, host, pathname, search, username } = parsed;
    const isPublic = ['', '/'].includes(pathname) && search === '' && username === '';
    return protocol === 'file:' || protocol === 'node:' ? url : `${protocol}//${host}${isPublic ? '' : '/…'}`;
  });
}

/** The innermost cause: errors of fetch and of the gRPC client only say that the call failed. */
export function rootMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(rootMessage).join(', ');
  }
  if (!(error instanceof Error)) return withoutSecrets(String(error));
  return error.cause === undefined ? withoutSecrets(error.message) : rootMessage(error.cause);
}
