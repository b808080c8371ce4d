/** Hides a route from the OpenAPI document: it is for a page of ours, and changes with it. */
export const HIDDEN = { hide: true, responses: { 200: { description: 'The answer' } } } as const;
