import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { ACCESS_REASONS } from '../../domain/billing/customer-state/access.ts';
import { type CustomerStateNow, getState } from '../../domain/billing/customer-state/get-states.ts';
import { SubscriptionStatus } from '../../generated/prisma/client.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from './examples.ts';
import { requireKey } from './require-key.ts';
import { HEADERS, isoTime, responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

/** A state may be kept for this long, and never beyond `validUntil`. */
const MAX_AGE_SECONDS = 60;

const customerState = z
  .object({
    customerId: z.string(),
    hasAccess: z.boolean().openapi({ description: 'Whether any subscription gives access' }),
    features: z.record(z.string(), z.union([z.literal(true), z.number()])).openapi({
      description: 'What the plans that give access allow together: `true`, or the highest limit',
    }),
    subscriptions: z
      .array(
        z.object({
          subscriptionId: z.string().openapi({ description: 'Address of the subscription account' }),
          planId: z.string(),
          status: z.enum(SubscriptionStatus),
          hasAccess: z.boolean(),
          until: isoTime.nullable().openapi({
            description: 'When its access ends if nothing changes; null if no end is known',
          }),
          reason: z.enum(ACCESS_REASONS),
          startedAt: isoTime,
        }),
      )
      .openapi({ description: 'At most 100: those that give access first, then the newest' }),
    version: z.int().openapi({
      description: 'The number of changes so far; 0 for a customer who never subscribed',
    }),
    validUntil: isoTime.nullable().openapi({ description: 'When it changes by time alone' }),
    asOf: z.object({
      slot: z.string().nullable().openapi({ description: 'All changes on chain up to this slot are in it' }),
      mirrorBehindSeconds: z.int().nullable().openapi({ description: 'Seconds since a block was last seen' }),
    }),
  })
  .openapi('CustomerState', { example: EXAMPLE.customerState });

const route = createRoute({
  method: 'get',
  path: '/api/customers/{customerId}/state',
  operationId: 'getCustomerState',
  tags: ['Customers'],
  security: NEEDS_KEY,
  summary: 'What a customer may do now',
  description:
    'Needs an API key with the scope `read`. A customer who never subscribed has no access. `ETag` is the version: with `If-None-Match` the answer is 304 while nothing has changed. The webhook `customer.state_changed` has the same state.',
  middleware: requireKey('READ'),
  request: {
    params: z.object({
      customerId: z.string().openapi({
        description: "The merchant's id of the customer, or our id of a customer without one",
      }),
    }),
  },
  // Described only: to validate headers, hono would read and copy all of them.
  parameters: [
    {
      name: 'if-none-match',
      in: 'header',
      schema: { type: 'string' },
      description: 'The `ETag` of an earlier answer',
    },
  ],
  responses: {
    ...responsesOf('The state', customerState),
    304: { description: 'The state has still the version of `If-None-Match`', headers: HEADERS },
  },
});

export function routeCustomerState(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const state = await getState(ctx, c.get('scope'), c.req.valid('param').customerId);
    const tag = `"${state.version}"`;
    putHeaders(c, {
      ETag: tag,
      'Cache-Control': `private, max-age=${maxAgeOf(state, ctx.clock.now())}`,
    });
    if (c.env.incoming.headers['if-none-match'] === tag) return c.body(null, 304);
    return c.json(toBody(state), 200);
  });
}

function maxAgeOf({ validUntil }: CustomerStateNow, now: Date): number {
  if (validUntil === null) return MAX_AGE_SECONDS;
  const left = Math.floor((validUntil.getTime() - now.getTime()) / 1000);
  return Math.max(0, Math.min(MAX_AGE_SECONDS, left));
}

function toBody({ validUntil, asOf, ...state }: CustomerStateNow): z.infer<typeof customerState> {
  return {
    customerId: state.customerId,
    hasAccess: state.hasAccess,
    features: state.features,
    subscriptions: [...state.subscriptions],
    version: state.version,
    validUntil: validUntil?.toISOString() ?? null,
    asOf: {
      slot: asOf.slot === null ? null : String(asOf.slot),
      mirrorBehindSeconds: asOf.mirrorBehindSeconds,
    },
  };
}
