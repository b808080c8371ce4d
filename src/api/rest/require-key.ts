import { createMiddleware } from 'hono/factory';
import { type Caller, requireScope } from '../../domain/kernel/access/caller.ts';
import type { Scope } from '../../domain/kernel/access/scope.ts';
import type { ApiKeyScope } from '../../generated/prisma/client.ts';
import type { ApiEnv } from '../http/api-env.ts';

/**
 * Middleware for routes that need an API key with a scope, or with several. It runs before the
 * request is validated.
 */
export function requireKey(scope: ApiKeyScope, ...furtherScopes: readonly ApiKeyScope[]) {
  return createMiddleware<ApiEnv & { Variables: { caller: Caller; scope: Scope } }>((c, next) => {
    const caller = requireScope(c.get('caller'), scope);
    for (const further of furtherScopes) requireScope(caller, further);
    const { merchantId, environment } = caller;
    c.set('scope', { merchantId, environment });
    return next();
  });
}
