import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { createCheckoutSession } from '../../domain/checkout/session/create-checkout-session.ts';
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
  priceId: z.string().nullish().openapi({
    description: "Id of one of the plan's prices that is not retired; default: the current one",
  }),
  discountId: z.string().nullish().openapi({
    description: 'Id of a discount that the customer gets without a code',
  }),
  allowsCodes: z.boolean().nullish().openapi({
    description: 'Whether the customer may enter a code of a discount on the page; default no',
  }),
  customerEmail: z.string().openapi({ description: 'Email address of the customer', format: 'email' }),
  merchantWallet: z.string().nullish().openapi({
    description: 'Your wallet in base58. If it is given, it must be the wallet that receives the money',
  }),
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
      description: 'A JSON object of at most 8 KiB. It is part of all webhooks about the subscription',
    }),
  idempotency_key: z.string().nullish().openapi({
    description:
      'A text of your choice that identifies the request. A repeated request with the same text returns the same session until the session expires',
  }),
}).openapi({ example: EXAMPLE.order });

const route = createRoute({
  method: 'post',
  path: '/checkout/create',
  operationId: 'createCheckoutSession',
  tags: ['Checkout'],
  summary: 'Create a checkout session',
  description:
    'Needs an API key with the scope `checkout`. A repeated request with the same idempotency key returns the same session until the session expires. At most 100 requests per minute.',
  security: NEEDS_KEY,
  middleware: requireKey('CHECKOUT'),
  request: { headers: idempotencyHeader, body: jsonBody(request) },
  responses: responsesOf(
    'The session',
    z
      .object({
        sessionId: z.string(),
        url: z.url().openapi({ description: 'URL of the checkout page to which you send the customer' }),
        expiresAt: isoTime,
      })
      .openapi({ example: EXAMPLE.createdSession }),
  ),
});

export function routeCreateCheckout(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const keyInBody = body.idempotency_key ?? undefined;
    const idempotencyKey = idempotencyKeyOf(keyInBody, c.req.valid('header')[IDEMPOTENCY_HEADER]);
    const created = createCheckoutSession(ctx, c.var.scope, {
      planId: body.planId,
      priceId: body.priceId ?? undefined,
      discountId: body.discountId ?? undefined,
      allowsCodes: body.allowsCodes ?? undefined,
      customerEmail: body.customerEmail,
      merchantWallet: body.merchantWallet ?? undefined,
      customerId: body.customerId ?? undefined,
      successUrl: body.successUrl ?? undefined,
      cancelUrl: body.cancelUrl ?? undefined,
      metadata: body.metadata ?? undefined,
      idempotencyKey,
    });
    const paramNames: Record<string, string> =
      keyInBody === undefined ? { idempotency_key: IDEMPOTENCY_HEADER } : {};
    const { sessionId, url, expiresAt } = await created.catch(renameParams(paramNames));
    return c.json({ sessionId, url, expiresAt: expiresAt.toISOString() }, 200);
  });
}
