import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { transactionsToSign } from '../../domain/checkout/transactions-to-sign.ts';
import { forPublic } from '../../domain/merchant/for-public.ts';
import { networkOf } from '../access/caller-address.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NOTHING } from './security.ts';

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/transaction',
  operationId: 'getCheckoutTransactions',
  tags: ['Checkout'],
  security: NEEDS_NOTHING,
  summary: "Create the transactions that the customer's wallet signs",
  description: 'Needs no key: the id of the session is the permission. The session stores the wallet.',
  request: {
    params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }),
    body: jsonBody(
      exactObject({
        userWallet: z.string().openapi({ description: 'Wallet that will pay. Base58' }),
      }).openapi({
        example: { userWallet: EXAMPLE.walletAddress },
      }),
    ),
  },
  responses: responsesOf(
    'The transactions, to be signed and sent in order within a minute',
    z
      .object({
        subscriptionPda: z
          .string()
          .openapi({ description: "The subscription's address, needed to complete the checkout" }),
        transactions: z.array(z.string()).openapi({ description: 'Transactions in base64' }),
        sponsored: z.boolean().openapi({
          description:
            'True if the service pays fee and deposits: the transaction has its signature and must not be changed',
        }),
        more: z.boolean().openapi({
          description: 'True if more transactions follow: repeat the request when these are confirmed',
        }),
        trialPeriodSeconds: z.string().openapi({
          description:
            'Seconds before the first payment; 0 if the wallet has already had its trial of the plan',
        }),
        costs: z.object({
          fee: z.string().openapi({ description: 'Fee of the network in lamports' }),
          deposits: z.string().openapi({
            description:
              'Deposits of new accounts in lamports, which their payer gets back when they are closed',
          }),
        }),
        balance: z.object({
          amount: z.string().openapi({ description: "Balance in the plan's token, in base units" }),
          recommended: z.string().openapi({ description: 'The amount of three payments' }),
          sufficient: z.boolean(),
          lamports: z.string().openapi({ description: 'Balance in lamports, which pays the network fees' }),
        }),
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
    const { subscriptionPda, transactions, more, costs, balance, trialSeconds, sponsored } = checkout;
    const { amount, recommended, sufficient, lamports } = balance;
    const amounts = { amount: `${amount}`, recommended: `${recommended}`, lamports: `${lamports}` };
    const answer = {
      subscriptionPda,
      transactions: [...transactions],
      sponsored: sponsored ?? false,
      more,
      trialPeriodSeconds: String(trialSeconds),
      costs: { fee: `${costs.fee}`, deposits: `${costs.deposits}` },
      balance: { ...amounts, sufficient },
    };
    return c.json(answer, 200);
  });
}
