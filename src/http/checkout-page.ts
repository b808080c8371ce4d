import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../app.ts';
import { getPublicSession } from '../domain/checkout/get-checkout-session.ts';
import { BillingError } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';
import { checkoutContent } from './pages/checkout-content.ts';
import { CHECKOUT_SCRIPT } from './pages/checkout-script.ts';
import { CHECKOUT_STYLE } from './pages/checkout-style.ts';
import { layout } from './pages/layout.ts';
import { securityPolicy } from './pages/security-policy.ts';

const STILL = { style: CHECKOUT_STYLE };
const MOVING = { style: CHECKOUT_STYLE, script: CHECKOUT_SCRIPT };
const STILL_POLICY = securityPolicy(STILL);
const MOVING_POLICY = securityPolicy(MOVING);
/** Where no script asks how the checkout stands, the page is loaded again. */
const RELOAD = html`<noscript><meta http-equiv="refresh" content="15"></noscript>`;

/** The hosted checkout page, for customers and therefore in HTML also where something is wrong. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/checkout/:sessionId', async (c) => {
    c.header('Content-Security-Policy', STILL_POLICY);
    c.header('Cache-Control', 'no-store');
    const session = await getPublicSession(ctx, c.req.param('sessionId')).catch((error) => {
      if (error instanceof BillingError) return undefined;
      throw error;
    });
    if (!session) {
      const words = html`<main><div class="card"><h1>There is no such checkout.</h1></div></main>`;
      return c.html(layout('Checkout', STILL, words), 404);
    }
    const { plan, environment, expiresAt, merchant, status } = session;
    const asset = plan.mint === ctx.config.clusters[environment]?.defaultMint ? 'USDC' : 'tokens';
    const secondsLeft = Math.max(0, Math.ceil((expiresAt.getTime() - ctx.clock.now().getTime()) / 1000));
    const title = `${plan.name} · ${merchant.companyName}`;
    const content = checkoutContent({ session, asset, secondsLeft });
    if (status !== 'OPEN') return c.html(layout(title, STILL, content));
    c.header('Content-Security-Policy', MOVING_POLICY);
    return c.html(layout(title, MOVING, content, RELOAD));
  });
}
