import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { transactionsToSign } from '../../domain/checkout/signing/transactions-to-sign.ts';
import { networkOf } from '../access/caller-address.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from './examples.ts';
import { responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';
import { toWalletTerms, walletRequest, walletTerms } from './wallet-terms.ts';

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/transaction',
  operationId: 'getCheckoutTransactions',
  tags: ['Checkout'],
  security: NEEDS_NO_KEY,
  summary: "Create the transactions that the customer's wallet signs",
  description:
    'Creates the transactions for one wallet, which the session stores. Needs no key: the id of the session gives access.',
  request: walletRequest,
  responses: responsesOf(
    'The transactions. The wallet must sign and send them in order within a minute',
    z
      .object({
        subscriptionPda: z.string().openapi({
          description:
            'Address of the subscription in base58, which the request that completes the checkout needs',
        }),
        transactions: z
          .array(z.string())
          .openapi({ description: 'Transactions in base64, for the wallet to sign' }),
        more: z.boolean().openapi({
          description: 'True if more transactions follow. Repeat the request when these are confirmed',
        }),
        ...walletTerms,
      })
      .openapi({ example: EXAMPLE.checkoutTransactions }),
  ),
});

export function routeCheckoutTransactions(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    const checkout = await transactionsToSign(forPublic(ctx), sessionId, {
      ...c.req.valid('json'),
      network: networkOf(c.get('address')),
    });
    const { subscriptionPda, transactions, more } = checkout;
    const answer = { subscriptionPda, transactions: [...transactions], more, ...toWalletTerms(checkout) };
    return c.json(answer, 200);
  });
}
