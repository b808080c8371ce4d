import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/**
 * Puts headers on whatever the answer turns out to be, where that has none of the same name. Straight on Node's answer: of
 * one that hono has made already, it makes a new one for each header that it is told late, body and all.
 */
export function putHeaders({ env }: Context<ApiEnv>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) env.outgoing.setHeader(name, value);
}
