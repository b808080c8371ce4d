import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/**
 * Sets headers on the response, unless Hono's response has headers of the same names. They are set
 * on Node's response, because Hono copies its own response with the body for each header that is
 * added later.
 */
export function putHeaders<E extends ApiEnv>(
  { env }: Context<E>,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(headers)) env.outgoing.setHeader(name, value);
}
