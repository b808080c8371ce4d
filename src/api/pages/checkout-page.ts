import { address } from '@solana/kit';
import type { Context, Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { readIssuerPowers } from '../../chain/accounts/issuer-powers.ts';
import { portalPath } from '../../domain/accounts/customer/portal-url.ts';
import { receiptPath } from '../../domain/accounts/customer/receipt-link.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { knownPriceAsset, type PriceAsset, priceAsset } from '../../domain/catalog/asset/price-asset.ts';
import { getCheckoutResult } from '../../domain/checkout/session/checkout-result.ts';
import { getPublicSession, type PublicSession } from '../../domain/checkout/session/get-checkout-session.ts';
import { chainOf } from '../../domain/kernel/access/chain-of.ts';
import { type PublicError, statusOf } from '../errors/error-response.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { checkoutErrorOf } from './checkout-error.ts';
import { checkoutLinksOf } from './checkout-links.ts';
import { offerOf } from './offer.ts';
import type { CheckoutData, CompletedCheckoutData, OpenCheckoutData } from './page-data.ts';
import { sendPage } from './send-page.ts';

/** The chains that wallets use, in the names of the Wallet Standard. */
const CHAINS = { TEST: 'solana:devnet', LIVE: 'solana:mainnet' } as const;

/** Serves the checkout page for customers. `renderCheckoutError` renders its errors. */
export function routeCheckoutPage(router: Hono<ApiEnv>, ctx: AppContext): void {
  const walletScript = ctx.config.extraWalletScript;
  router.get('/checkout/:sessionId', async (c) => {
    const session = await getPublicSession(ctx, c.req.param('sessionId'));
    const { status, brandColor, isSettling, walletConnected } = session;
    const data = dataOf(session, await assetOf(ctx, session), status === 'OPEN' ? ctx.clock.now() : null);
    const options = { brandColor, walletScript };
    if (status === 'OPEN') {
      return sendPage(c, 'openCheckout', { ...data, ...(await openDataOf(ctx, session)) }, options);
    }
    const completed = status === 'COMPLETED' ? await completedDataOf(ctx, session) : null;
    if (completed) return sendPage(c, 'completedCheckout', { ...data, ...completed }, options);
    return sendPage(c, 'endedCheckout', { ...data, isSettling, walletConnected }, options);
  });
}

function dataOf(session: PublicSession, token: PriceAsset | null, now: Date | null): CheckoutData {
  const { sessionId, environment, merchant, plan, planTrialSeconds, customerEmail, cancelUrl } = session;
  return {
    sessionId,
    company: { name: merchant.companyName, logoUrl: merchant.logoUrl },
    isTest: environment === 'TEST',
    offer: offerOf(plan, token, now, session.discount),
    trialSeconds: plan.trialPeriodSeconds,
    planTrialSeconds,
    customerEmail,
    mint: plan.mint,
    supportEmail: merchant.supportEmail,
    cancelUrl,
  };
}

async function openDataOf(
  ctx: AppContext,
  { sessionId, environment, expiresAt, plan, allowsCodes }: PublicSession,
): Promise<Omit<OpenCheckoutData, keyof CheckoutData>> {
  const { config, clock } = ctx;
  const asset = { mint: address(plan.mint), tokenProgram: address(plan.tokenProgram) };
  return {
    allowsCodes,
    // Without the node the page is shown without it.
    issuer: await readIssuerPowers(chainOf(forPublic(ctx), environment), asset).catch(() => null),
    secondsLeft: Math.max(0, Math.ceil((expiresAt.getTime() - clock.now().getTime()) / 1000)),
    expiresAt: expiresAt.toISOString(),
    chain: CHAINS[environment],
    devices: checkoutLinksOf(config, sessionId),
  };
}

/** What the page of a completed checkout shows; null if it has no subscription. */
async function completedDataOf(
  ctx: AppContext,
  { sessionId, redirectUrl, cancelUrl }: PublicSession,
): Promise<Omit<CompletedCheckoutData, keyof CheckoutData> | null> {
  const result = await getCheckoutResult(ctx, sessionId);
  if (!result) return null;
  const { payment, now, subscriptionId } = result;
  return {
    payment: payment && { amount: String(payment.amount), paidAt: payment.paidAt.toISOString() },
    now: now && {
      status: now.status,
      nextPaymentAt: now.nextPaymentAt?.toISOString() ?? null,
      accessUntil: now.accessUntil?.toISOString() ?? null,
      isDue: now.isDue,
      isUnpaid: now.isUnpaid,
    },
    isCollectedSoon: now?.isCollectedSoon ?? false,
    backUrl: redirectUrl ?? cancelUrl,
    links: {
      receiptPath: payment && receiptPath(ctx.config, payment.id),
      portalPath: portalPath(subscriptionId),
      companyUrl: null,
    },
  };
}

/** Whether a customer's browser requests a page, so that errors are HTML too. */
export function isCheckoutPageRequest({ req: { method, path } }: Context<ApiEnv>): boolean {
  if (path.startsWith('/pay/')) return true;
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/checkout/');
}

/** Renders the error page of a checkout. */
export function renderCheckoutError(c: Context<ApiEnv>, error: PublicError): Response | Promise<Response> {
  return sendPage(c, 'checkoutError', checkoutErrorOf(error, c.req.path), { status: statusOf(error) });
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
