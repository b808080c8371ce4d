import { address } from '@solana/kit';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../app.ts';
import { mintDecimals } from '../chain/mint-decimals.ts';
import { getPublicSession, type PublicSession } from '../domain/checkout/get-checkout-session.ts';
import { chainOf } from '../domain/merchant/chain-of.ts';
import { BillingError } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';
import { type Asset, checkoutContent } from './pages/checkout-content.ts';
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
const NO_SUCH_CHECKOUT = html`<main><div class="card nothing"><h1>There is no such checkout</h1><p class="soft">The link may be incomplete. Go back to where you came from, and start again.</p></div></main>`;

/** The hosted checkout page, for customers and therefore in HTML also where something is wrong. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const assetOf = assetsOf(ctx);
  router.get('/checkout/:sessionId', async (c) => {
    c.header('Content-Security-Policy', STILL_POLICY);
    c.header('Cache-Control', 'no-store');
    const session = await getPublicSession(ctx, c.req.param('sessionId')).catch((error) => {
      if (error instanceof BillingError) return undefined;
      throw error;
    });
    if (!session) return c.html(layout('Checkout', STILL, NO_SUCH_CHECKOUT), 404);
    const { plan, expiresAt, merchant, status } = session;
    const secondsLeft = Math.max(0, Math.ceil((expiresAt.getTime() - ctx.clock.now().getTime()) / 1000));
    const title = `${plan.name} · ${merchant.companyName}`;
    const content = checkoutContent({ session, asset: await assetOf(session), secondsLeft });
    if (status !== 'OPEN') return c.html(layout(title, STILL, content));
    c.header('Content-Security-Policy', MOVING_POLICY);
    return c.html(layout(title, MOVING, content, RELOAD));
  });
}

/** What plans are paid in. Each mint is read once: its decimals never change, and no plan's mint can be closed. */
function assetsOf(ctx: AppContext): (session: PublicSession) => Promise<Asset> {
  const known = new Map<string, number>();
  return async ({ environment, plan: { mint } }) => {
    const key = `${environment}/${mint}`;
    const decimals = known.get(key) ?? (await mintDecimals(chainOf(ctx, environment), address(mint)));
    known.set(key, decimals);
    const isDefault = mint === ctx.config.clusters[environment]?.defaultMint;
    return { name: isDefault ? 'USDC' : null, decimals };
  };
}
