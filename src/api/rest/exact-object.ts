import { z } from '@hono/zod-openapi';

/**
 * The schema of an object with only these fields. A misspelt field is refused: if a misspelt
 * `successUrl` were ignored, the customer would have no way back. `elsewhere` is a hint for the
 * error message: it names another API with more options.
 */
export function exactObject<Shape extends z.ZodRawShape>(shape: Shape, elsewhere?: string) {
  const only = [`use only ${formatList(Object.keys(shape))}`, elsewhere].filter(Boolean).join('; ');
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? only : undefined) });
}

/** Formats a list: `a, b and c`. */
export function formatList(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}
