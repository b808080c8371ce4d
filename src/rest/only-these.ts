import { z } from '@hono/zod-openapi';

/**
 * An object that has these fields and no others. What is misspelt is refused: dropped in silence, a `succesUrl` would be
 * noticed by a customer who has nowhere to go back to.
 */
export function onlyThese<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `is not known here, only ${names}` : undefined),
  });
}
