import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { transactionsToSign } from '../domain/checkout/transactions-to-sign.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from './examples.ts';
import { onlyThese } from './only-these.ts';
import { answers, jsonBody } from './responses.ts';
import { NEEDS_NOTHING } from './security.ts';

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/transaction',
  operationId: 'getCheckoutTransactions',
  tags: ['Checkout'],
  security: NEEDS_NOTHING,
  summary: "What the customer's wallet has to sign",
  description: 'Needs no key: the id of the session is the permission. The session remembers the wallet.',
  request: {
    params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }),
    body: jsonBody(
      onlyThese({ userWallet: z.string().openapi({ description: 'Wallet that is to pay. Base58' }) }).openapi(
        {
          example: { userWallet: EXAMPLE.walletAddress },
        },
      ),
    ),
  },
  responses: answers(
    'To be signed and sent in order, within a minute',
    z
      .object({
        subscriptionPda: z
          .string()
          .openapi({ description: "The subscription's address, for the completion of the checkout" }),
        transactions: z.array(z.string()).openapi({ description: 'Unsigned, in base64' }),
        more: z.boolean().openapi({ description: 'Once these are confirmed, ask again' }),
        balance: z.object({
          amount: z.string().openapi({ description: "Of the plan's asset, in base units" }),
          recommended: z.string().openapi({ description: 'Three payments of the plan' }),
          sufficient: z.boolean(),
          lamports: z.string().openapi({ description: "What pays the network's fees" }),
        }),
      })
      .openapi({ example: EXAMPLE.checkoutTransactions }),
  ),
});

export function routeCheckoutTransactions(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    const checkout = await transactionsToSign(ctx, sessionId, c.req.valid('json'));
    const { subscriptionPda, transactions, more, balance } = checkout;
    const { amount, recommended, sufficient, lamports } = balance;
    const amounts = { amount: `${amount}`, recommended: `${recommended}`, lamports: `${lamports}` };
    const answer = {
      subscriptionPda,
      transactions: [...transactions],
      more,
      balance: { ...amounts, sufficient },
    };
    return c.json(answer, 200);
  });
}
