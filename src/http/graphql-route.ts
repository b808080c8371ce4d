import type { Hono } from 'hono';
import type { GraphqlServer } from '../graphql/context.ts';
import type { GraphqlHandler } from '../graphql/handler.ts';
import type { ApiEnv } from './api-env.ts';

/**
 * POST with a JSON body and nothing else: what a browser sends to other origins without asking first (GET, forms, plain
 * text) is refused.
 */
export function routeGraphql(router: Hono<ApiEnv>, server: GraphqlServer, yoga: GraphqlHandler): void {
  router.all('/graphql', (c) => {
    if (c.req.method !== 'POST') {
      return c.json(refusal('GraphQL is asked by POST.'), 405, { Allow: 'POST' });
    }
    if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
      return c.json(refusal('The content type must be application/json.'), 415);
    }
    const { scope, caller, requestId } = c.var;
    return yoga.fetch(c.req.raw, { ...server, scope, caller, requestId });
  });
}

function refusal(message: string) {
  return { errors: [{ message, extensions: { code: 'invalid_request' } }] };
}
