import { z } from '@hono/zod-openapi';

/**
 * An object that has these fields and no others. What is misspelt is refused: dropped in silence, a `succesUrl` would be
 * noticed by a customer who has nowhere to go back to. `elsewhere` says where there is more.
 */
export function onlyThese<Shape extends z.ZodRawShape>(shape: Shape, elsewhere?: string) {
  const only = [`only ${listed(Object.keys(shape))}`, elsewhere].filter(Boolean).join('; ');
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? only : undefined) });
}

/** `a, b and c` */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}
