import type { OpenAPIHono } from '@hono/zod-openapi';
import type { NotFoundHandler } from 'hono';
import { BillingError, notFound } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';

const METHODS = ['GET', 'POST'] as const;

/**
 * Merchants were promised no 405: a path that is there for another method is not found either, and says for which
 * (`Allow`).
 */
export function tellNotFound(router: OpenAPIHono<ApiEnv>): NotFoundHandler<ApiEnv> {
  return (c) => {
    const { method, path } = c.req;
    const allowed = METHODS.filter((each) => isRouted(router, each, path));
    if (allowed.length === 0) throw notFound('route');
    const allow = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ');
    c.header('Allow', allow);
    throw new BillingError('not_found', `No such route with ${method.slice(0, 20)}, only with ${allow}.`);
  };
}

/** Whether something but the layers that all requests go through answers it. */
function isRouted({ router }: OpenAPIHono<ApiEnv>, method: string, path: string): boolean {
  const [matched] = router.match(method, path);
  return matched.some(([[, route]]) => route.method === method);
}
