import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { WALLET_ACTIONS, walletTransaction } from '../../domain/billing/read/wallet-transaction.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

const route = createRoute({
  method: 'post',
  path: '/api/subscriptions/{subscriptionId}/transaction',
  operationId: 'getWalletTransaction',
  tags: ['Subscriptions'],
  security: NEEDS_NO_KEY,
  summary: "Create a transaction with which the customer's wallet changes a subscription",
  description:
    'Needs no key: only the wallet that pays can sign the transaction. `cancel` cancels at the end of the current period. `resume` undoes a cancellation before it takes effect. `repair_approval` renews an approval that was revoked or replaced. `close` closes the account of the subscription after a cancellation has taken effect, which returns its rent deposit.',
  request: {
    params: z.object({ subscriptionId: z.string().openapi({ example: EXAMPLE.subscriptionId }) }),
    body: jsonBody(exactObject({ action: z.enum(WALLET_ACTIONS) })),
  },
  responses: responsesOf(
    'The transaction. The wallet must sign and send it within a minute',
    z.object({
      transaction: z
        .string()
        .openapi({ description: 'Unsigned transaction in base64', example: EXAMPLE.transaction }),
    }),
  ),
});

export function routeWalletTransaction(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { subscriptionId } = c.req.valid('param');
    const transaction = await walletTransaction(forPublic(ctx), subscriptionId, c.req.valid('json').action);
    return c.json({ transaction }, 200);
  });
}
