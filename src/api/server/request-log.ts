import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Logger } from '../../observability/log.ts';
import { timeRequest } from '../../observability/metrics/counters.ts';
import { inSpan } from '../../observability/tracing/trace.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';

/**
 * Logs, traces and measures each request. The log and the response have the request's id. The route
 * is recorded instead of the path, because the id of a checkout session in the path is a secret.
 */
export function requestLog(log: Logger) {
  return createMiddleware<ApiEnv>((c, next) =>
    inSpan(c.req.method, { kind: 'server' }, async (span) => {
      const requestId = randomUUID();
      const startedAt = performance.now();
      c.set('requestId', requestId);
      putHeaders(c, { 'X-Request-Id': requestId });
      await next();
      const durationMs = performance.now() - startedAt;
      const { method } = c.req;
      const { status } = c.res;
      const route = routePath(c, -1);
      const caller = c.get('caller');
      span.rename(`${method} ${route}`);
      span.set({ 'http.response.status_code': status, 'dues.request': requestId });
      if (status >= 500) span.fail();
      timeRequest({ method: knownMethod(method), route, status }, durationMs / 1000);
      log.info(
        {
          requestId,
          method,
          route,
          status,
          durationMs: Math.round(durationMs),
          merchantId: caller?.merchantId,
          environment: caller?.environment,
        },
        'request',
      );
    }),
  );
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Replaces unknown methods: callers may send any method, and a metric label must have few values.
 */
function knownMethod(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
