import type { Context, Hono } from 'hono';
import { encodeQR } from 'qr';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { toDecimal } from '../../domain/catalog/money/decimal-amount.ts';
import { hasRequested } from '../../domain/checkout/session/remember-wallet.ts';
import { requireOpenSession } from '../../domain/checkout/session/require-open-session.ts';
import { validAddress } from '../../domain/kernel/input/valid-text.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Serves a QR code of a Solana Pay transfer request, with which another wallet or an exchange sends
 * the missing amount to the customer's wallet: `amount` base units of the plan's token, or SOL if
 * `amount` is missing.
 *
 * On our domain a code is trusted, so it exists only as an image of the checkout page, for a wallet
 * that requested the session's transactions, and for at most one payment.
 *
 * @throws BillingError not_found unless the checkout page shows it; invalid_request, param
 *   `sessionId`, `wallet` or `amount`
 */
export function routeTopUpCode(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/checkout/:sessionId/top-up.svg', async (c) => {
    if (!isImageOfOurPage(c)) throw notFound('code', 'sessionId');
    const session = await requireOpenSession(ctx, c.req.param('sessionId'));
    const { environment, plan } = session;
    const wallet = validAddress('wallet', c.req.query('wallet') ?? '');
    if (!hasRequested(session, wallet)) {
      throw invalidRequest('wallet', 'wallet must have requested the transactions of this session.');
    }
    const amount = c.req.query('amount');
    const link = amount === undefined ? `solana:${wallet}` : await tokenLink(amount);
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', POLICY);
    return c.body(encodeQR(link, 'svg', { ecc: 'medium', border: 2 }), 200, {
      'Content-Type': 'image/svg+xml',
    });

    async function tokenLink(text: string): Promise<string> {
      const missing = /^[1-9]\d{0,19}$/.test(text) ? BigInt(text) : 0n;
      if (missing === 0n || missing > plan.maxAmount) {
        throw invalidRequest(
          'amount',
          `amount must be base units of the token, from 1 to the limit of ${plan.maxAmount}.`,
        );
      }
      const { decimals } = await priceAsset(forPublic(ctx), environment, plan.mint);
      return `solana:${wallet}?amount=${toDecimal(missing, decimals)}&spl-token=${plan.mint}`;
    }
  });
}

/**
 * Whether a page of ours asks for an image. Browsers send these headers to https and to this machine
 * (Safari since 16.4). Others get no code: the page shows the wallet's address too.
 */
function isImageOfOurPage({ req }: Context): boolean {
  return req.header('sec-fetch-site') === 'same-origin' && req.header('sec-fetch-dest') === 'image';
}
