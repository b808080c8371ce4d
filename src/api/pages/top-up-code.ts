import type { Hono } from 'hono';
import { encodeQR } from 'qr';
import type { AppContext } from '../../app.ts';
import { priceAsset } from '../../domain/asset/price-asset.ts';
import { requireOpenSession } from '../../domain/checkout/require-open-session.ts';
import { validAddress } from '../../domain/input/valid-text.ts';
import { forPublic } from '../../domain/merchant/for-public.ts';
import { toDecimal } from '../../domain/money/decimal-amount.ts';
import { invalidRequest } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

/**
 * Serves a QR code of a Solana Pay transfer request, with which another wallet or an exchange sends
 * the missing amount to the customer's wallet: `amount` base units of the plan's token, or SOL if
 * `amount` is missing.
 */
export function routeTopUpCode(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/checkout/:sessionId/top-up.svg', async (c) => {
    const { environment, plan } = await requireOpenSession(ctx, c.req.param('sessionId'));
    const wallet = validAddress('wallet', c.req.query('wallet') ?? '');
    const amount = c.req.query('amount');
    const link = amount === undefined ? `solana:${wallet}` : await tokenLink(amount);
    c.header('Cache-Control', 'no-store');
    return c.body(encodeQR(link, 'svg', { ecc: 'medium', border: 2 }), 200, {
      'Content-Type': 'image/svg+xml',
    });

    async function tokenLink(text: string): Promise<string> {
      if (!/^\d{1,20}$/.test(text)) throw invalidRequest('amount', 'amount must be base units of the token.');
      const { decimals } = await priceAsset(forPublic(ctx), environment, plan.mint);
      return `solana:${wallet}?amount=${toDecimal(BigInt(text), decimals)}&spl-token=${plan.mint}`;
    }
  });
}
