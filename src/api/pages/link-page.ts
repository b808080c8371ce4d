import type { Context, Hono } from 'hono';
import { encodeQR } from 'qr';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { openCheckout } from '../../domain/checkout/payment-link/open-checkout.ts';
import { getPublicLink, type LinkRecord } from '../../domain/checkout/payment-link/public-link.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { offerOf } from './offer.ts';
import type { LinkData } from './page-data.ts';
import { qrPng } from './qr-png.ts';
import { sendPage } from './send-page.ts';

// The pages have a short path, /pay/<id>, because links are printed and typed. The pages at
// /checkout/<id> each belong to one customer.

const MAX_PREFILLED = 254;
const CACHE_ONE_DAY = 'public, max-age=86400';

/** Serves the pages of payment links and their QR codes. The pages need no script. */
export function routeLinkPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/pay/:linkId', async (c) => {
    const link = await getPublicLink(ctx, c.req.param('linkId'));
    const email = (c.req.query('email') ?? '').slice(0, MAX_PREFILLED);
    return show(c, link, { email, isInvalid: false });
  });

  router.post('/pay/:linkId', async (c) => {
    const link = await getPublicLink(ctx, c.req.param('linkId'));
    if (!link.isOpen) return show(c, link, { email: '', isInvalid: false });
    const email = await enteredEmail(c);
    try {
      const { sessionId } = await openCheckout(ctx, link, email);
      // Relative, because the security policy lets the form lead only to the page's own origin.
      return c.redirect(`/checkout/${sessionId}`, 303);
    } catch (error) {
      if (!(error instanceof BillingError) || error.param !== 'customerEmail') throw error;
      return show(c, link, { email, isInvalid: true });
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

  async function show(c: Context<ApiEnv>, link: LinkRecord, entered: Pick<LinkData, 'email' | 'isInvalid'>) {
    const { id, plan, environment, cancelUrl } = link;
    const { companyName, logoUrl, supportEmail, brandColor } = link.merchant;
    const company = { name: companyName, logoUrl };
    const shared = { company, planName: plan.name, supportEmail, cancelUrl };
    if (!link.isOpen) return sendPage(c, 'linkOff', shared, { brandColor });
    const token = await priceAsset(forPublic(ctx), environment, plan.mint);
    const data = {
      ...shared,
      ...entered,
      path: `/pay/${id}`,
      isTest: environment === 'TEST',
      offer: offerOf(plan, token, ctx.clock.now()),
      trialSeconds: plan.trialPeriodSeconds,
    };
    return sendPage(c, 'link', data, { brandColor, status: entered.isInvalid ? 400 : 200 });
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
