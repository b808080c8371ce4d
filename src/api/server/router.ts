import { OpenAPIHono } from '@hono/zod-openapi';
import type { ErrorHandler } from 'hono';
import type { Config } from '../../config.ts';
import type { Logger } from '../../observability/log.ts';
import { KEYLESS_PATHS, keylessCors } from '../access/keyless-cors.ts';
import { AGAIN_SECONDS, isTemporary, maskedError, publicError, statusOf } from '../errors/error-response.ts';
import { answerNotFound } from '../errors/not-found.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import type { GraphqlHandler } from '../graphql/transport/handler.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { secureHeaders } from '../http/secure-headers.ts';
import { openApiDocument } from '../openapi/openapi-document.ts';
import { routeAppLinks } from '../pages/app-links.ts';
import { isCheckoutPageRequest, renderCheckoutError, routeCheckoutPage } from '../pages/checkout-page.ts';
import { routeEmbedScript } from '../pages/embed-script.ts';
import { routeLinkPage } from '../pages/link-page.ts';
import { routeMailPreview } from '../pages/mail-preview.ts';
import { isPageRequest, renderMissingPage } from '../pages/missing-page.ts';
import { routeReceiptPage } from '../pages/receipt-page.ts';
import { routeTopUpCode } from '../pages/top-up-code.ts';
import { routeUnsubscribePage } from '../pages/unsubscribe-page.ts';
import { routeVerifyReceipt } from '../pages/verify-receipt-page.ts';
import { routeWelcomePage } from '../pages/welcome-page.ts';
import { routePortal } from '../portal/routes.ts';
import { routeCheckWallet } from '../rest/check-wallet.ts';
import { routeCheckoutDiscount } from '../rest/checkout-discount.ts';
import { routeCheckoutTransactions } from '../rest/checkout-transactions.ts';
import { routeCompleteCheckout } from '../rest/complete-checkout.ts';
import { routeCreateCheckout } from '../rest/create-checkout.ts';
import { routeCreatePortalSession } from '../rest/create-portal-session.ts';
import { routeCustomerState } from '../rest/customer-state.ts';
import { routeExports } from '../rest/exports.ts';
import { routeGetCheckout } from '../rest/get-checkout.ts';
import { routeListReceipts } from '../rest/list-receipts.ts';
import { routeListSubscriptions } from '../rest/list-subscriptions.ts';
import { routePublicPlan } from '../rest/public-plan.ts';
import { refuseInvalid } from '../rest/refuse-invalid.ts';
import { routeReportApproval } from '../rest/report-approval.ts';
import { routeSolanaPay } from '../rest/solana-pay.ts';
import { routeWalletTransaction } from '../rest/wallet-transaction.ts';
import { routeCustomerPages } from '../static/customer-pages.ts';
import { routeDashboard } from '../static/dashboard.ts';
import { routeDocsSite } from '../static/docs-site.ts';
import { routeLogo } from '../static/logo.ts';
import { routeGraphql } from './graphql-route.ts';
import { routeHealth } from './health-route.ts';
import { admit, identify } from './identify.ts';
import { limitBody } from './limit-body.ts';
import { routeProbes } from './probes.ts';
import { requestLog } from './request-log.ts';

/** Creates the router with all HTTP routes. */
export function createRouter(graphql: GraphqlServer, yoga: GraphqlHandler, describe: Describe) {
  const ctx = graphql.app;
  const router = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  router.onError(answerError(ctx.log));
  router.notFound(answerNotFound(router));
  router.use(requestLog(ctx.log));
  const walletScript = ctx.config.extraWalletScript;
  routeDashboard(router, { walletScript });
  routeCustomerPages(router, { walletScript });
  routeDocsSite(router);
  router.use(identify(graphql), secureHeaders);
  for (const path of KEYLESS_PATHS) router.use(path, keylessCors);
  router.use(admit, limitBody);
  routeHealth(router);
  routeProbes(router, ctx, graphql.stopping);
  routeGraphql(router, graphql, yoga);
  routeCreateCheckout(router, ctx);
  routeCompleteCheckout(router, ctx);
  routeReportApproval(router, ctx);
  routeGetCheckout(router, ctx);
  routeCheckWallet(router, ctx);
  routeCheckoutTransactions(router, ctx);
  routeCheckoutDiscount(router, ctx, graphql.limits);
  routeSolanaPay(router, ctx);
  routeListSubscriptions(router, ctx);
  routeListReceipts(router, ctx);
  routeCustomerState(router, ctx);
  routeWalletTransaction(router, ctx);
  routeCreatePortalSession(router, ctx);
  routeExports(router, ctx);
  routePortal(router, graphql);
  routePublicPlan(router, ctx);
  routeLogo(router, ctx);
  routeCheckoutPage(router, ctx);
  routeUnsubscribePage(router, ctx);
  routeMailPreview(router, ctx);
  routeTopUpCode(router, ctx);
  routeLinkPage(router, ctx);
  // Before the page of a receipt, whose path `/receipts/:token` would match it.
  routeVerifyReceipt(router, graphql);
  routeReceiptPage(router, ctx);
  routeEmbedScript(router);
  routeAppLinks(router, ctx.config);
  routeWelcomePage(router);
  const description = describe(router);
  router.get('/openapi.json', (c) => c.body(description, 200, { 'Content-Type': 'application/json' }));
  return router;
}

/** Returns the OpenAPI document of a router's routes, as JSON. */
type Describe = (router: OpenAPIHono<ApiEnv>) => string;

/**
 * Creates the OpenAPI document from the first router; all routers have the same routes. It is
 * created once, because it is large and public.
 */
export function describedOnce(config: Config): Describe {
  let described: string | undefined;
  return (router) => {
    described ??= JSON.stringify(openApiDocument(router, config));
    return described;
  };
}

function answerError(log: Logger): ErrorHandler<ApiEnv> {
  return (error, c) => {
    const known = publicError(error);
    if (!known) log.error({ err: error, requestId: c.var.requestId }, 'request failed');
    const answer = known ?? maskedError(error);
    // For an exceeded limit, the headers of the limit state when to retry.
    if (isTemporary(error) && c.get('verdict')?.allowed !== false) c.header('Retry-After', AGAIN_SECONDS);
    // Errors about keys are JSON on customers' pages too: only programs send keys.
    if (isCheckoutPageRequest(c) && answer.code !== 'authentication_error')
      return renderCheckoutError(c, answer);
    if (answer.code === 'not_found' && isPageRequest(c)) return renderMissingPage(c);
    if (c.req.path !== '/graphql') return c.json({ error: answer }, statusOf(answer));
    const { message, ...extensions } = answer;
    return c.json({ errors: [{ message, extensions }] }, statusOf(answer));
  };
}
