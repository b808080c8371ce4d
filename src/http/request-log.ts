import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../log.ts';
import type { ApiEnv } from './api-env.ts';

/**
 * One line a request, under an id that the answer carries too. It names the route, not the path: a session's id in the
 * path is a secret.
 */
export function requestLog(log: Logger) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const requestId = uuidv7();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    await next();
    c.header('X-Request-Id', requestId);
    log.info(
      {
        requestId,
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        durationMs: Math.round(performance.now() - startedAt),
        merchantId: c.var.caller?.merchantId,
        environment: c.var.caller?.environment,
      },
      'request',
    );
  });
}
