import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { VERSION } from '../../config/version.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { responsesOf } from '../rest/responses.ts';
import { NEEDS_NO_KEY } from '../rest/security.ts';

const route = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tags: ['Service'],
  security: NEEDS_NO_KEY,
  summary: 'Check that the service runs',
  description: 'A health check for load balancers. Needs no key.',
  responses: responsesOf(
    'The service runs',
    z.object({
      status: z.literal('ok'),
      version: z.string().max(50).openapi({ description: 'Version of the service', example: '0.2.0' }),
    }),
  ),
});

export function routeHealth(router: OpenAPIHono<ApiEnv>): void {
  router.openapi(route, (c) => c.json({ status: 'ok' as const, version: VERSION }, 200));
}
