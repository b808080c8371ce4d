// What a route needs to be opened, as OpenAPI words it. The scheme is described in openapi-document.ts.

/** An API key. */
export const NEEDS_KEY = [{ apiKey: [] }];

/** Nothing: what is in the path, or on chain, is the permission. Said as an anonymous requirement, not left out. */
export const NEEDS_NOTHING: Record<string, string[]>[] = [{}];

/** Nothing, and with a key it answers with more. */
export const MAY_HAVE_KEY: Record<string, string[]>[] = [{ apiKey: [] }, {}];
