import { createMiddleware } from 'hono/factory';
import type { Scope } from '../domain/merchant/scope.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { noKey } from '../http/authenticate.ts';

/** For routes that nothing opens but an API key. Runs before the request is looked at any further. */
export const requireKey = createMiddleware<ApiEnv & { Variables: { scope: Scope } }>(async (c, next) => {
  if (!c.var.scope) throw noKey();
  await next();
});
