import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { createCheckoutSession } from '../domain/checkout/create-checkout-session.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { requireKey } from './require-key.ts';
import { answers, jsonBody, moment } from './responses.ts';

const route = createRoute({
  method: 'post',
  path: '/checkout/create',
  summary: 'Create a checkout session',
  description: 'The same request again is answered with the same session while that has not expired.',
  middleware: requireKey('CHECKOUT'),
  request: {
    body: jsonBody(
      z.object({
        planId: z.string(),
        customerEmail: z.string(),
        merchantWallet: z.string().nullish(),
        customerId: z.string().nullish(),
        successUrl: z.string().nullish(),
        cancelUrl: z.string().nullish(),
        // Looked at by the use case: zod's records drop keys that JavaScript has a meaning for.
        metadata: z
          .unknown()
          .optional()
          .openapi({ type: 'object', description: 'In all webhooks of the subscription' }),
        idempotency_key: z.string().nullish(),
      }),
    ),
  },
  responses: answers('The session', z.object({ sessionId: z.string(), url: z.url(), expiresAt: moment })),
});

export function routeCreateCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const { sessionId, url, expiresAt } = await createCheckoutSession(ctx, c.var.scope, {
      planId: body.planId,
      customerEmail: body.customerEmail,
      merchantWallet: body.merchantWallet ?? undefined,
      customerId: body.customerId ?? undefined,
      successUrl: body.successUrl ?? undefined,
      cancelUrl: body.cancelUrl ?? undefined,
      metadata: body.metadata ?? undefined,
      idempotencyKey: body.idempotency_key ?? undefined,
    });
    return c.json({ sessionId, url, expiresAt: expiresAt.toISOString() }, 200);
  });
}
