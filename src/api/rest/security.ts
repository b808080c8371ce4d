// The security requirements of routes in OpenAPI. The scheme is described in openapi-document.ts.

/** The route needs an API key. */
export const NEEDS_KEY = [{ apiKey: [] }];

/**
 * The route needs no key: the id in the path or the proof on chain gives access. OpenAPI states
 * that as an empty requirement.
 */
export const NEEDS_NO_KEY: Record<string, string[]>[] = [{}];

/** The route needs no key, and returns more with one. */
export const MAY_HAVE_KEY: Record<string, string[]>[] = [{ apiKey: [] }, {}];
