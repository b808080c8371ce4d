import { address } from '@solana/kit';
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../app.ts';
import { knownDecimals, mintDecimals } from '../chain/mint-decimals.ts';
import { getPublicSession, type PublicSession } from '../domain/checkout/get-checkout-session.ts';
import { chainOf } from '../domain/merchant/chain-of.ts';
import type { ApiEnv } from './api-env.ts';
import { type PublicError, statusOf } from './error-response.ts';
import { type Asset, checkoutContent } from './pages/checkout-content.ts';
import { CHECKOUT_SCRIPT } from './pages/checkout-script.ts';
import { CHECKOUT_STYLE } from './pages/checkout-style.ts';
import { checkoutTrouble } from './pages/checkout-trouble.ts';
import { layout } from './pages/layout.ts';
import { securityPolicy } from './pages/security-policy.ts';

const STILL = { style: CHECKOUT_STYLE };
const MOVING = { style: CHECKOUT_STYLE, script: CHECKOUT_SCRIPT };
const STILL_POLICY = securityPolicy(STILL);
const MOVING_POLICY = securityPolicy(MOVING);
/** Where no script asks how the checkout stands, the page is loaded again. */
const RELOAD = html`<noscript><meta http-equiv="refresh" content="15"></noscript>`;

/** The hosted checkout page, for customers. What fails on the way to it is told by `tellCustomer`. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const assetOf = assetsOf(ctx);
  router.get('/checkout/:sessionId', async (c) => {
    const session = await getPublicSession(ctx, c.req.param('sessionId'));
    const { plan, expiresAt, merchant, status } = session;
    const secondsLeft = Math.max(0, Math.ceil((expiresAt.getTime() - ctx.clock.now().getTime()) / 1000));
    const title = `${plan.name} · ${merchant.companyName}`;
    const content = checkoutContent({ session, asset: await assetOf(session), secondsLeft });
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', status === 'OPEN' ? MOVING_POLICY : STILL_POLICY);
    if (status !== 'OPEN') return c.html(layout(title, STILL, content));
    return c.html(layout(title, MOVING, content, RELOAD));
  });
}

/** Whether a customer's browser asks, who is to be told in HTML also where something is wrong. */
export function asksForCheckoutPage({ req: { method, path } }: Context<ApiEnv>): boolean {
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/checkout/');
}

/** Why there is no checkout page, as a page. */
export function tellCustomer(c: Context<ApiEnv>, error: PublicError): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', STILL_POLICY);
  return c.html(layout('Checkout', STILL, checkoutTrouble(error, c.req.path)), statusOf(error));
}

/**
 * What plans are paid in. Each mint is read once: its decimals never change, and no plan's mint can be closed. A checkout that
 * is over is shown without asking the cluster for anything: null where it would have to be.
 */
function assetsOf(ctx: AppContext): (session: PublicSession) => Promise<Asset | null> {
  const read = new Map<string, number>();
  return async ({ environment, status, plan }) => {
    const mint = address(plan.mint);
    const key = `${environment}/${mint}`;
    let decimals = knownDecimals(mint) ?? read.get(key);
    if (decimals === undefined) {
      if (status !== 'OPEN') return null;
      decimals = await mintDecimals(chainOf(ctx, environment), mint);
      read.set(key, decimals);
    }
    const isDefault = mint === ctx.config.clusters[environment]?.defaultMint;
    return { name: isDefault ? 'USDC' : null, decimals };
  };
}
