import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { completeCheckout } from '../../domain/checkout/completion/complete-checkout.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

/** The request that names the subscription which completes a checkout. */
export const completeRequest = {
  params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }),
  body: jsonBody(
    exactObject({
      subscriptionPda: z.string().openapi({ description: 'Address of the subscription account, in base58' }),
      userWallet: z.string().openapi({ description: 'Wallet that pays, in base58' }),
      signature: z
        .string()
        .openapi({ description: 'Signature of the transaction that created the subscription, in base58' }),
    }),
  ),
};

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/complete',
  operationId: 'completeCheckout',
  tags: ['Checkout'],
  security: NEEDS_NO_KEY,
  summary: "Complete a checkout with the subscription that the customer's wallet created on chain",
  description:
    'Needs no key: the id of the session gives access, and dues verifies the subscription on chain. The error `session_expired` with `param` `signature` means that the session has expired and dues has not seen the transaction yet. It may have been sent in time: repeat the request for a short while.',
  request: completeRequest,
  responses: responsesOf(
    'The session is completed. A repeated call gets the same response',
    z
      .object({
        sessionId: z.string(),
        status: z.literal('completed'),
        subscriptionId: z.string(),
        redirectUrl: z.string().nullable(),
      })
      .openapi({ example: EXAMPLE.completed }),
  ),
});

export function routeCompleteCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    const completed = await completeCheckout(forPublic(ctx), sessionId, c.req.valid('json'));
    return c.json({ ...completed, status: 'completed' as const }, 200);
  });
}
