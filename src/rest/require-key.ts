import { createMiddleware } from 'hono/factory';
import { type Caller, requireScope } from '../domain/merchant/caller.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import type { ApiKeyScope } from '../generated/prisma/client.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** For routes that nothing opens but an API key with that scope. Runs before the request is looked at any further. */
export function requireKey(scope: ApiKeyScope) {
  return createMiddleware<ApiEnv & { Variables: { caller: Caller; scope: Scope } }>(async (c, next) => {
    const { merchantId, environment } = requireScope(c.get('caller'), scope);
    c.set('scope', { merchantId, environment });
    await next();
  });
}
