/** How to name an endpoint: providers put keys into the path and the query of their URLs. */
export function publicPart(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}

/** Both fetch and the gRPC client say that it failed, and hide the reason several causes deep. */
export function rootMessage(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(rootMessage).join(', ');
  }
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootMessage(error.cause);
}
