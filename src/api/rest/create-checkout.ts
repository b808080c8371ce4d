import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { createCheckoutSession } from '../../domain/checkout/create-checkout-session.ts';
import { renameParams } from '../errors/rename-params.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { IDEMPOTENCY_HEADER, idempotencyHeader, idempotencyKeyOf } from './idempotency-key.ts';
import { requireKey } from './require-key.ts';
import { isoTime, jsonBody, responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const request = exactObject({
  planId: z.string().openapi({ description: 'Your id of an active plan' }),
  customerEmail: z.string().openapi({ description: "The customer's address", format: 'email' }),
  merchantWallet: z.string().nullish().openapi({ description: 'If given, it must be your wallet' }),
  customerId: z.string().nullish().openapi({ description: 'Your id of the customer' }),
  successUrl: z
    .string()
    .nullish()
    .openapi({ description: 'URL for the customer after the checkout; `session_id` is added to its query' }),
  cancelUrl: z.string().nullish().openapi({ description: 'URL for a customer who cancels the checkout' }),
  // Validated by the use case: zod's records drop keys with a special meaning in JavaScript.
  metadata: z
    .unknown()
    .refine((value) => value == null || (typeof value === 'object' && !Array.isArray(value)), {
      error: 'must be a JSON object',
    })
    .optional()
    .openapi({
      type: 'object',
      description: 'Part of all webhooks about the subscription; at most 8 KiB of JSON',
    }),
  idempotency_key: z.string().nullish().openapi({
    description: 'A repeated request with the same key returns the same session until it expires',
  }),
}).openapi({ example: EXAMPLE.order });

const route = createRoute({
  method: 'post',
  path: '/checkout/create',
  operationId: 'createCheckoutSession',
  tags: ['Checkout'],
  summary: 'Create a checkout session',
  description:
    'Needs a key with the scope `checkout`. A repeated request returns the same session until it expires. At most 100 requests per minute.',
  security: NEEDS_KEY,
  middleware: requireKey('CHECKOUT'),
  request: { headers: idempotencyHeader, body: jsonBody(request) },
  responses: responsesOf(
    'The session',
    z
      .object({
        sessionId: z.string(),
        url: z.url().openapi({ description: 'URL of the hosted page for the customer' }),
        expiresAt: isoTime,
      })
      .openapi({ example: EXAMPLE.createdSession }),
  ),
});

export function routeCreateCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const inBody = body.idempotency_key ?? undefined;
    const idempotencyKey = idempotencyKeyOf(inBody, c.req.valid('header')[IDEMPOTENCY_HEADER]);
    const created = createCheckoutSession(ctx, c.var.scope, {
      planId: body.planId,
      customerEmail: body.customerEmail,
      merchantWallet: body.merchantWallet ?? undefined,
      customerId: body.customerId ?? undefined,
      successUrl: body.successUrl ?? undefined,
      cancelUrl: body.cancelUrl ?? undefined,
      metadata: body.metadata ?? undefined,
      idempotencyKey,
    });
    const spelling: Record<string, string> =
      inBody === undefined ? { idempotency_key: IDEMPOTENCY_HEADER } : {};
    const { sessionId, url, expiresAt } = await created.catch(renameParams(spelling));
    return c.json({ sessionId, url, expiresAt: expiresAt.toISOString() }, 200);
  });
}
