import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { enterCode, removeCode } from '../../domain/checkout/session/enter-code.ts';
import { getPublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { networkOf } from '../access/caller-address.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { takeOrRefuse } from '../http/take-or-refuse.ts';
import { CODES_TRIED } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';
import { publicSession, toPublicSession } from './checkout-session.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

const path = '/api/checkout/{sessionId}/discount';
const shared = {
  path,
  tags: ['Checkout'],
  security: NEEDS_NO_KEY,
};
const params = z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) });

const enter = createRoute({
  ...shared,
  method: 'post',
  operationId: 'enterDiscountCode',
  summary: 'Enter the code of a discount',
  description:
    'Gives an open session the discount of a code, which replaces an earlier one. For 4 minutes after a wallet got transactions with a discount, it cannot be replaced, because they may still land: `invalid_request`, param `code`, whose message says for how many seconds. All codes that are refused have the same answer: `invalid_request`, param `code`. At most 10 codes can be tried in a session, and 30 an hour from a network address. Needs no key: the id of the session gives access.',
  request: {
    params,
    body: jsonBody(
      exactObject({
        code: z.string().max(200).openapi({ description: 'The code, in any case' }),
      }).openapi({ example: { code: 'SPRING' } }),
    ),
  },
  responses: responsesOf('The session with the discount', publicSession),
});

const remove = createRoute({
  ...shared,
  method: 'delete',
  operationId: 'removeDiscountCode',
  summary: 'Remove the discount of a session',
  description:
    'The subscription then has the full price. For 4 minutes after a wallet got transactions with the discount, it cannot be removed, because they may still land: `invalid_request`, param `code`. Needs no key: the id of the session gives access.',
  request: { params },
  responses: responsesOf('The session without a discount', publicSession),
});

export function routeCheckoutDiscount(
  router: OpenAPIHono<ApiEnv>,
  ctx: AppContext,
  limits: RateLimits,
): void {
  router.openapi(enter, async (c) => {
    const { sessionId } = c.req.valid('param');
    await takeOrRefuse(c, limits, CODES_TRIED, networkOf(c.get('address')));
    await enterCode(ctx, sessionId, c.req.valid('json').code);
    return c.json(toPublicSession(ctx.config, await getPublicSession(ctx, sessionId)), 200);
  });
  router.openapi(remove, async (c) => {
    const { sessionId } = c.req.valid('param');
    await removeCode(ctx, sessionId);
    return c.json(toPublicSession(ctx.config, await getPublicSession(ctx, sessionId)), 200);
  });
}
