import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../../app.ts';
import { receiptPath } from '../../domain/accounts/customer/receipt-link.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { knownPriceAsset, type PriceAsset, priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { getCheckoutResult } from '../../domain/checkout/session/checkout-result.ts';
import { getPublicSession, type PublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { type PublicError, statusOf } from '../errors/error-response.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { type BrandedPage, branded } from './brand-style.ts';
import { builtScript, CUSTOMER_PAGES_NOT_BUILT, type ScriptName } from './built-script.ts';
import { checkoutContent } from './checkout-content.ts';
import { checkoutErrorPage } from './checkout-error-page.ts';
import { checkoutLinksOf } from './checkout-links.ts';
import { CHECKOUT_STYLE } from './checkout-style.ts';
import type { CompletedView } from './completed-content.ts';
import { type Html, layout } from './layout.ts';
import { type PageParts, securityPolicy } from './security-policy.ts';

const WITHOUT_SCRIPT = { style: CHECKOUT_STYLE };
const WITHOUT_SCRIPT_POLICY = securityPolicy(WITHOUT_SCRIPT);
/** Without scripts the page reloads itself to update its status. */
const RELOAD = html`<noscript><meta http-equiv="refresh" content="15"></noscript>`;
/** Reloads the page of a checkout whose result is not known yet. */
const RELOAD_SOON = html`<meta http-equiv="refresh" content="3">`;

/** Serves the checkout page for customers. `renderCheckoutError` renders its errors. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const walletScript = ctx.config.extraWalletScript;
  const open = scripted('checkout', walletScript);
  const settling = scripted('settle');
  const collecting = scripted('completed');
  router.get('/checkout/:sessionId', async (c) => {
    if (!open || !settling || !collecting) return c.text(CUSTOMER_PAGES_NOT_BUILT, 404);
    const session = await getPublicSession(ctx, c.req.param('sessionId'));
    const { plan, expiresAt, merchant, status, brandColor } = session;
    const secondsLeft = Math.max(0, Math.ceil((expiresAt.getTime() - ctx.clock.now().getTime()) / 1000));
    const title = `${plan.name} · ${merchant.companyName}`;
    const ways = checkoutLinksOf(ctx.config, session.sessionId);
    // The URL gives access to the checkout, so search engines must not show it.
    const head = html`<meta name="robots" content="noindex"><meta name="description" content="Subscribe to ${plan.name} of ${merchant.companyName} with a Solana wallet.">`;
    const completed = status === 'COMPLETED' ? await completedView(ctx, session.sessionId) : null;
    const asset = await assetOf(ctx, session);
    const content = checkoutContent({ session, asset, secondsLeft, ways, completed });
    const page = (parts: PageParts, reload: Html | '' = '') =>
      show(c, branded(parts, brandColor), title, content, html`${head}${reload}`);
    if (status === 'OPEN') return page(open, RELOAD);
    if (completed?.now?.isCollectedSoon) return page(collecting, RELOAD);
    if (completed || !session.walletConnected) return page(WITHOUT_SCRIPT);
    return page(settling, session.isSettling ? RELOAD_SOON : '');
  });
}

/** What the page of a completed checkout shows; null if it has no subscription. */
async function completedView(ctx: AppContext, sessionId: string): Promise<CompletedView | null> {
  const result = await getCheckoutResult(ctx, sessionId);
  if (!result) return null;
  return { ...result, receiptPath: result.payment && receiptPath(ctx.config, result.payment.id) };
}

/** The parts of a page with a script; undefined if the scripts are not built. */
function scripted(name: ScriptName, walletScript?: string): PageParts | undefined {
  const script = builtScript(name);
  return script === undefined ? undefined : { style: CHECKOUT_STYLE, script, walletScript };
}

function show(
  c: Context<ApiEnv>,
  { parts, policy }: BrandedPage,
  title: string,
  content: Html,
  head: Html,
): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', policy);
  return c.html(layout(title, parts, content, head));
}

/** Whether a customer's browser requests a page, so that errors are HTML too. */
export function isCheckoutPageRequest({ req: { method, path } }: Context<ApiEnv>): boolean {
  if (path.startsWith('/pay/')) return true;
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/checkout/');
}

/** Renders the error page of a checkout. */
export function renderCheckoutError(c: Context<ApiEnv>, error: PublicError): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', WITHOUT_SCRIPT_POLICY);
  return c.html(layout('Checkout', WITHOUT_SCRIPT, checkoutErrorPage(error, c.req.path)), statusOf(error));
}

/**
 * The payment token of a plan. For a checkout that has ended, the cluster is not read: the token is
 * null unless it is already known.
 */
async function assetOf(
  ctx: AppContext,
  { environment, status, plan }: PublicSession,
): Promise<PriceAsset | null> {
  if (status !== 'OPEN') return knownPriceAsset(ctx, environment, plan.mint);
  return priceAsset(forPublic(ctx), environment, plan.mint);
}
