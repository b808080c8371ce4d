import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { checkWallet } from '../../domain/checkout/signing/check-wallet.ts';
import { networkOf } from '../access/caller-address.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from './examples.ts';
import { responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';
import { toWalletTerms, walletRequest, walletTerms } from './wallet-terms.ts';

const route = createRoute({
  method: 'post',
  path: '/api/checkout/{sessionId}/wallet',
  operationId: 'checkCheckoutWallet',
  tags: ['Checkout'],
  security: NEEDS_NO_KEY,
  summary: 'Check whether a wallet can subscribe',
  description:
    'Says what the wallet pays and everything that it lacks. It can be asked again until missing funds have arrived: a wallet that cannot subscribe is a response, not an error. The session stores the wallet. Needs no key: the id of the session gives access.',
  request: walletRequest,
  responses: responsesOf(
    'The result of the check',
    z
      .object({
        refusal: z.string().nullable().openapi({
          description:
            'Text for the customer: why the wallet cannot subscribe now; null if it can. `transaction` then has its transactions',
        }),
        missing: z
          .object({
            amount: z.string().openapi({
              description: "Missing base units of the plan's token for the payment that is due now",
            }),
            lamports: z.string().nullable().openapi({
              description:
                'Missing lamports for the network fee and the deposits; null if the number is not known',
            }),
          })
          .nullable()
          .openapi({ description: 'The missing funds, all at once; null if the wallet lacks none' }),
        terms: z.object(walletTerms).nullable().openapi({
          description:
            'What the wallet pays if it approves now; null if no transaction can be created for it',
        }),
      })
      .openapi({ example: EXAMPLE.checkedWallet }),
  ),
});

export function routeCheckWallet(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { refusal, missing, checkout } = await checkWallet(forPublic(ctx), c.req.valid('param').sessionId, {
      ...c.req.valid('json'),
      network: networkOf(c.get('address')),
    });
    const lamports = missing?.lamports ?? null;
    const answer = {
      refusal,
      missing: missing && { amount: `${missing.amount}`, lamports: lamports === null ? null : `${lamports}` },
      terms: checkout && toWalletTerms(checkout),
    };
    return c.json(answer, 200);
  });
}
