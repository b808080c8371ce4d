import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { durationText, trialText } from '../../domain/catalog/money/duration-text.ts';
import { priceText } from '../../domain/catalog/money/price-text.ts';
import type { SessionRecord } from '../../domain/checkout/session/get-checkout-session.ts';
import { requireOpenSession } from '../../domain/checkout/session/require-open-session.ts';
import type { PaymentsAhead } from '../../domain/checkout/signing/payments-ahead.ts';
import { transactionsToSign } from '../../domain/checkout/signing/transactions-to-sign.ts';
import { networkOf } from '../access/caller-address.ts';
import { renameParams } from '../errors/rename-params.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody, responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

// Transaction requests of Solana Pay: a wallet that opens `solana:<URL of this route>` shows label
// and icon (GET), sends its address (POST), and signs and sends the transaction of the response.
// https://github.com/solana-foundation/pay/blob/main/typescript/packages/solana-pay/spec/SPEC.md

const path = '/api/checkout/{sessionId}/solana-pay';
const params = z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) });
const shared = { path, tags: ['Checkout'], security: NEEDS_NO_KEY };

const label = createRoute({
  ...shared,
  method: 'get',
  operationId: 'getSolanaPayLabel',
  summary: 'Solana Pay: show which merchant requests the transaction',
  description:
    'Wallets show the name and the picture before they request the transaction. Needs no key: the id of the session gives access.',
  request: { params },
  responses: responsesOf(
    'Name and picture of the merchant',
    z
      .object({
        label: z.string().openapi({ description: "The merchant's name" }),
        icon: z.url().openapi({ description: "URL of the merchant's logo, or of our own icon" }),
      })
      .openapi({ example: EXAMPLE.solanaPayLabel }),
  ),
});

const transaction = createRoute({
  ...shared,
  method: 'post',
  operationId: 'getSolanaPayTransaction',
  summary: 'Solana Pay: create the transaction that the wallet signs',
  description:
    'Needs no key. Returns the first transaction of `POST /api/checkout/{sessionId}/transaction`. If the wallet needs a second one, `message` tells the customer to scan the code again. The checkout completes when dues sees the last transaction on chain. No other request is needed.',
  request: {
    params,
    // Not strict: wallets may send more fields.
    body: jsonBody(
      z
        .object({ account: z.string().openapi({ description: 'Wallet that will pay, in base58' }) })
        .openapi({ example: { account: EXAMPLE.walletAddress } }),
    ),
  },
  responses: responsesOf(
    'The transaction. The wallet must sign and send it within a minute',
    z
      .object({
        transaction: z.string().openapi({ description: 'Transaction in base64' }),
        message: z.string().openapi({ description: 'Text for the customer: what the transaction approves' }),
      })
      .openapi({ example: EXAMPLE.solanaPayTransaction }),
  ),
});

export function routeSolanaPay(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(label, async (c) => {
    const { merchant } = await requireOpenSession(ctx, c.req.valid('param').sessionId);
    const icon = merchant.logoUrl ?? `${ctx.config.publicUrl}/icon.svg`;
    return c.json({ label: merchant.companyName, icon }, 200);
  });
  router.openapi(transaction, async (c) => {
    const { sessionId } = c.req.valid('param');
    const session = await requireOpenSession(ctx, sessionId);
    const { account } = c.req.valid('json');
    const checkout = await transactionsToSign(forPublic(ctx), sessionId, {
      userWallet: account,
      network: networkOf(c.get('address')),
    }).catch(renameParams({ userWallet: 'account' }));
    const [first = ''] = checkout.transactions;
    const text = await approvalText(ctx, session, checkout);
    const message = checkout.more
      ? `Step 1 of 2: prepares your wallet. Then scan the code again. ${text}`
      : text;
    return c.json({ transaction: first, message }, 200);
  });
}

/** Describes what the customer approves: plan, price, interval, limit, trial, and what is charged at once. */
async function approvalText(
  ctx: AppContext,
  { environment, plan }: SessionRecord,
  { trialSeconds, dueNow }: Pick<PaymentsAhead, 'trialSeconds' | 'dueNow'>,
): Promise<string> {
  const asset = await priceAsset(forPublic(ctx), environment, plan.mint);
  const price = priceText(asset, plan.amount);
  const trial = trialSeconds > 0 ? ` ${trialText(trialSeconds)}.` : '';
  const limit = plan.maxAmount > plan.amount ? `, at most ${priceText(asset, plan.maxAmount)}` : '';
  const now = dueNow > 0n && dueNow !== plan.amount ? ` Now: ${priceText(asset, dueNow)}.` : '';
  return `${plan.name}: ${price} every ${durationText(plan.intervalSeconds)}${limit}.${now}${trial}`;
}
