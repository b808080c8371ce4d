import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { getCheckoutSession, getPublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { requireScope } from '../../domain/kernel/access/caller.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { publicSession, sessionRecord, toPublicSession, toSessionRecord } from './checkout-session.ts';
import { EXAMPLE } from './examples.ts';
import { responsesOf } from './responses.ts';
import { MAY_HAVE_KEY } from './security.ts';

const route = createRoute({
  method: 'get',
  path: '/api/checkout/{sessionId}',
  operationId: 'getCheckoutSession',
  tags: ['Checkout'],
  security: MAY_HAVE_KEY,
  summary: 'Retrieve a checkout session',
  description:
    'With an API key of scope `read` it returns the complete session. Without a key it returns the data that the checkout page shows, because the id of the session gives access to it.',
  request: { params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }) },
  responses: responsesOf('The session', z.union([sessionRecord, publicSession])),
});

export function routeGetCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    if (c.var.caller?.kind !== 'api_key')
      return c.json(toPublicSession(ctx.config, await getPublicSession(ctx, sessionId)), 200);
    const session = await getCheckoutSession(ctx, requireScope(c.var.caller, 'READ'), sessionId);
    return c.json(toSessionRecord(ctx.config, session), 200);
  });
}
