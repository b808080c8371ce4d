import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { answers } from '../rest/responses.ts';
import { NEEDS_NOTHING } from '../rest/security.ts';
import type { ApiEnv } from './api-env.ts';

const route = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tags: ['Service'],
  security: NEEDS_NOTHING,
  summary: 'Whether this process answers',
  description: 'For load balancers. Needs no key.',
  responses: answers('It does', z.object({ status: z.literal('ok') })),
});

export function routeHealth(router: OpenAPIHono<ApiEnv>): void {
  router.openapi(route, (c) => c.json({ status: 'ok' as const }, 200));
}
