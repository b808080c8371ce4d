import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../log.ts';
import { timeRequest } from '../metrics/counters.ts';
import { inSpan } from '../tracing/trace.ts';
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
    await inSpan(c.req.method, { kind: 'server' }, async (span) => {
      await next();
      const { status } = c.res;
      span.rename(`${c.req.method} ${routePath(c, -1)}`);
      span.set({ 'http.response.status_code': status, 'dues.request': requestId });
      if (status >= 500) span.fail();
    });
    const durationMs = performance.now() - startedAt;
    const [method, route, status] = [c.req.method, routePath(c, -1), c.res.status];
    timeRequest({ method: knownMethod(method), route, status }, durationMs / 1000);
    c.header('X-Request-Id', requestId);
    log.info(
      {
        requestId,
        ...{ method, route, status },
        durationMs: Math.round(durationMs),
        merchantId: c.var.caller?.merchantId,
        environment: c.var.caller?.environment,
      },
      'request',
    );
  });
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Anybody may make up a method: a label has few values. */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
