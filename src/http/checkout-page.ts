import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../app.ts';
import { getPublicSession, type PublicSession } from '../domain/checkout/get-checkout-session.ts';
import { BillingError } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';
import { inWords, toDecimal } from './price.ts';

/** Opens the app on a phone that has it. */
const APP_SCHEME = 'dues';

/** The hosted checkout page, for customers and therefore in HTML also where something is wrong. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/checkout/:sessionId', async (c) => {
    // Nothing on the page runs, and nothing in it can be framed or sent elsewhere.
    c.header(
      'Content-Security-Policy',
      "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'",
    );
    const session = await getPublicSession(ctx, c.req.param('sessionId')).catch((error) => {
      if (error instanceof BillingError) return undefined;
      throw error;
    });
    if (!session) return c.html(page('Checkout', html`<p>There is no such checkout.</p>`), 404);
    const asset =
      session.plan.mint === ctx.config.clusters[session.environment]?.defaultMint ? 'USDC' : 'tokens';
    return c.html(page(session.merchant.companyName, content(session, asset)));
  });
}

type Html = ReturnType<typeof html>;

function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:28rem;margin:4rem auto;padding:0 1rem}img{max-height:4rem}</style>
</head>
<body>${body}</body>
</html>`;
}

function content({ merchant, plan, customerEmail, ...session }: PublicSession, asset: string): Html {
  const price = `${toDecimal(plan.amount)} ${asset} every ${inWords(plan.intervalSeconds)}`;
  return html`
${merchant.logoUrl === null ? '' : html`<img src="${merchant.logoUrl}" alt="">`}
<h1>${merchant.companyName}</h1>
<h2>${plan.name}</h2>
${plan.description === null ? '' : html`<p>${plan.description}</p>`}
<p>${price}${plan.trialPeriodSeconds > 0 ? `, the first ${inWords(plan.trialPeriodSeconds)} free` : ''}</p>
<p>${customerEmail}</p>
${nextStep(session)}
${session.cancelUrl === null || session.status === 'COMPLETED' ? '' : html`<p><a href="${session.cancelUrl}">Back</a></p>`}`;
}

function nextStep({
  sessionId,
  status,
  redirectUrl,
}: Pick<PublicSession, 'sessionId' | 'status' | 'redirectUrl'>): Html {
  if (status === 'EXPIRED') return html`<p>This checkout has expired.</p>`;
  if (status === 'OPEN') {
    return html`<p><a href="${APP_SCHEME}://subscribe?sessionId=${sessionId}">Continue in the app</a></p>`;
  }
  return redirectUrl === null
    ? html`<p>You are subscribed.</p>`
    : html`<p>You are subscribed. <a href="${redirectUrl}">Continue</a></p>`;
}
