import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { encodeQR } from 'qr';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { openCheckout } from '../../domain/checkout/payment-link/open-checkout.ts';
import { getPublicLink, type LinkRecord } from '../../domain/checkout/payment-link/public-link.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { branded } from './brand-style.ts';
import { CHECKOUT_STYLE } from './checkout-style.ts';
import { layout } from './layout.ts';
import { closedLink, type Entered, linkContent } from './link-content.ts';
import { qrPng } from './qr-png.ts';

// The pages have a short path, /pay/<id>, because links are printed and typed. The pages at
// /checkout/<id> each belong to one customer.

const PARTS = { style: CHECKOUT_STYLE, hasForm: true };
const MAX_PREFILLED = 254;
const CACHE_ONE_DAY = 'public, max-age=86400';

/** Serves the pages of payment links and their QR codes. The pages need no script. */
export function routeLinkPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/pay/:linkId', async (c) => {
    const link = await getPublicLink(ctx, c.req.param('linkId'));
    const email = (c.req.query('email') ?? '').slice(0, MAX_PREFILLED);
    return show(c, link, { email });
  });

  router.post('/pay/:linkId', async (c) => {
    const link = await getPublicLink(ctx, c.req.param('linkId'));
    if (!link.isOpen) return show(c, link, { email: '' });
    const email = await enteredEmail(c);
    try {
      const { sessionId } = await openCheckout(ctx, link, email);
      // Relative, because the security policy lets the form lead only to the page's own origin.
      return c.redirect(`/checkout/${sessionId}`, 303);
    } catch (error) {
      if (!(error instanceof BillingError) || error.param !== 'customerEmail') throw error;
      return show(c, link, { email, problem: 'Enter an email address, like ada@example.com.' }, 400);
    }
  });

  router.get('/pay/:linkId/qr.svg', async (c) => {
    const url = await urlOf(c.req.param('linkId'));
    return image(c, encodeQR(url, 'svg', { ecc: 'medium', border: 4 }), 'image/svg+xml');
  });

  router.get('/pay/:linkId/qr.png', async (c) => {
    const url = await urlOf(c.req.param('linkId'));
    return image(c, qrPng(url), 'image/png');
  });

  async function show(c: Context<ApiEnv>, link: LinkRecord, entered: Entered, status: 200 | 400 = 200) {
    const { plan, merchant, environment } = link;
    c.header('Cache-Control', 'no-store');
    const { parts, policy } = branded(PARTS, merchant.brandColor);
    c.header('Content-Security-Policy', policy);
    const title = `${plan.name} · ${merchant.companyName}`;
    const head = html`<meta name="description" content="Subscribe to ${plan.name} of ${merchant.companyName} with a Solana wallet.">`;
    if (!link.isOpen) return c.html(layout(title, parts, closedLink(link), head));
    const asset = await priceAsset(forPublic(ctx), environment, plan.mint);
    return c.html(layout(title, parts, linkContent(link, asset, entered), head), status);
  }

  async function urlOf(linkId: string): Promise<string> {
    const { id } = await getPublicLink(ctx, linkId);
    return `${ctx.config.publicUrl}/pay/${id}`;
  }
}

/** Reads the email of the form. @throws BillingError invalid_request, param `Content-Type` */
async function enteredEmail({ req }: Context<ApiEnv>): Promise<string> {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', 'Content-Type must be application/x-www-form-urlencoded.');
  }
  return new URLSearchParams(await req.text()).get('customerEmail')?.trim() ?? '';
}

/** Answers with an image that merchants' pages may show. */
function image(c: Context<ApiEnv>, body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  putHeaders(c, { 'Cross-Origin-Resource-Policy': 'cross-origin' });
  return c.body(body, 200, { 'Content-Type': type, 'Cache-Control': CACHE_ONE_DAY });
}
