import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/**
 * Sets headers on the response unless it has headers of the same names. They are set on Node's
 * response, because Hono copies its response, with the body, for each header that is added late.
 */
export function putHeaders({ env }: Context<ApiEnv>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) env.outgoing.setHeader(name, value);
}
