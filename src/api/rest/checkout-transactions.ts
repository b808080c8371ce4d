import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { type CheckoutTransactions, transactionsToSign } from '../../domain/checkout/transactions-to-sign.ts';
import { forPublic } from '../../domain/merchant/for-public.ts';
import { networkOf } from '../access/caller-address.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

/** What a wallet pays if it approves now, and its balance. */
export const walletTerms = {
  sponsored: z.boolean().openapi({
    description:
      "True if the service pays the fee and the deposits. The transaction then has the service's signature and must not be changed",
  }),
  trialPeriodSeconds: z.string().openapi({
    description:
      'Seconds of free trial that the wallet has left, as a string; `0` without a trial, or if the wallet has already had the trial of the plan',
  }),
  dueNow: z.string().openapi({
    description:
      'Amount that is collected as soon as the wallet has approved, in base units of the token; `0` in a trial, or if the wallet has already paid the current interval',
  }),
  nextPaymentDate: z.iso.datetime().openapi({
    description: 'Due date of the first payment that is not collected at once, if the wallet approves now',
  }),
  costs: z.object({
    fee: z.string().openapi({ description: 'Network fee in lamports' }),
    deposits: z.string().openapi({
      description:
        'Deposits for new accounts in lamports. Their payer gets them back when the accounts are closed',
    }),
  }),
  balance: z.object({
    amount: z.string().openapi({ description: "Balance of the wallet in base units of the plan's token" }),
    recommended: z.string().openapi({
      description: "Recommended balance in base units of the plan's token: three payments",
    }),
    sufficient: z.boolean().openapi({ description: 'Whether the balance is at least the recommended one' }),
    lamports: z
      .string()
      .openapi({ description: 'Balance of the wallet in lamports, from which it pays network fees' }),
  }),
};

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/transaction',
  operationId: 'getCheckoutTransactions',
  tags: ['Checkout'],
  security: NEEDS_NO_KEY,
  summary: "Create the transactions that the customer's wallet signs",
  description:
    'Creates the transactions for one wallet, which the session stores. Needs no key: the id of the session gives access.',
  request: {
    params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }),
    body: jsonBody(
      exactObject({
        userWallet: z.string().openapi({ description: 'Wallet that will pay, in base58' }),
      }).openapi({
        example: { userWallet: EXAMPLE.walletAddress },
      }),
    ),
  },
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

export function toWalletTerms({ costs, balance, ...checkout }: CheckoutTransactions) {
  const { amount, recommended, sufficient, lamports } = balance;
  return {
    sponsored: checkout.sponsored ?? false,
    trialPeriodSeconds: `${checkout.trialSeconds}`,
    dueNow: `${checkout.dueNow}`,
    nextPaymentDate: checkout.nextPaymentAt.toISOString(),
    costs: { fee: `${costs.fee}`, deposits: `${costs.deposits}` },
    balance: { amount: `${amount}`, recommended: `${recommended}`, sufficient, lamports: `${lamports}` },
  };
}
