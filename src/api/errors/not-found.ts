import type { OpenAPIHono } from '@hono/zod-openapi';
import type { NotFoundHandler } from 'hono';
import { BillingError, notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

const METHODS = ['GET', 'POST'] as const;

/**
 * Answers requests without a route. The REST contract has no 405, so a path that exists only for
 * another method is not found either. The `Allow` header names the methods of the path.
 */
export function answerNotFound(router: OpenAPIHono<ApiEnv>): NotFoundHandler<ApiEnv> {
  return (c) => {
    const { method, path } = c.req;
    const allowed = METHODS.filter((candidate) => isRouted(router, candidate, path));
    if (allowed.length === 0) throw notFound('route');
    const allow = allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ');
    c.header('Allow', allow);
    throw new BillingError('not_found', `No such route for ${method.slice(0, 20)}, only for ${allow}.`);
  };
}

/** Whether a route answers the path, not only middlewares. */
function isRouted({ router }: OpenAPIHono<ApiEnv>, method: string, path: string): boolean {
  const [matched] = router.match(method, path);
  return matched.some(([[, route]]) => route.method === method);
}
