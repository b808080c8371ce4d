import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { completeCheckout } from '../domain/checkout/complete-checkout.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { answers, jsonBody } from './responses.ts';

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/complete',
  summary: "Finish a checkout with what the customer's wallet did on chain",
  description: 'Needs no key: the id of the session is the permission, the chain is the proof.',
  request: {
    params: z.object({ sessionId: z.string() }),
    body: jsonBody(z.object({ subscriptionPda: z.string(), userWallet: z.string(), signature: z.string() })),
  },
  responses: answers(
    'The session is completed; the same call again gets the same answer',
    z.object({
      sessionId: z.string(),
      status: z.literal('completed'),
      subscriptionId: z.string(),
      redirectUrl: z.string().nullable(),
    }),
  ),
});

export function routeCompleteCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    const completed = await completeCheckout(ctx, sessionId, c.req.valid('json'));
    return c.json({ ...completed, status: 'completed' as const }, 200);
  });
}
