import { OpenAPIHono } from '@hono/zod-openapi';
import type { ErrorHandler } from 'hono';
import type { GraphqlServer } from '../graphql/context.ts';
import type { GraphqlHandler } from '../graphql/handler.ts';
import type { Logger } from '../log.ts';
import { routeCheckoutTransactions } from '../rest/checkout-transactions.ts';
import { routeCompleteCheckout } from '../rest/complete-checkout.ts';
import { routeCreateCheckout } from '../rest/create-checkout.ts';
import { routeExports } from '../rest/exports.ts';
import { routeGetCheckout } from '../rest/get-checkout.ts';
import { routeListSubscriptions } from '../rest/list-subscriptions.ts';
import { routePublicPlan } from '../rest/public-plan.ts';
import { refuseInvalid } from '../rest/refuse-invalid.ts';
import { routeWalletTransaction } from '../rest/wallet-transaction.ts';
import type { ApiEnv } from './api-env.ts';
import { browsersAnywhere, KEYLESS_PATHS } from './browsers-anywhere.ts';
import { asksForCheckoutPage, routeCheckoutPage, tellCustomer } from './checkout-page.ts';
import { INTERNAL_ERROR, publicError, statusOf } from './error-response.ts';
import { routeGraphql } from './graphql-route.ts';
import { routeHealth } from './health-route.ts';
import { admit, identify } from './identify.ts';
import { limitBody } from './limit-body.ts';
import { tellNotFound } from './not-found.ts';
import { openApiDocument } from './openapi-document.ts';
import { routeDocsPage } from './pages/docs-page.ts';
import { routeWelcomePage } from './pages/welcome-page.ts';
import { routeProbes } from './probes.ts';
import { requestLog } from './request-log.ts';
import { secureHeaders } from './secure-headers.ts';

/** Every HTTP route there is. */
export function createRouter(graphql: GraphqlServer, yoga: GraphqlHandler) {
  const ctx = graphql.app;
  const router = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  router.onError(tellError(ctx.log));
  router.notFound(tellNotFound(router));
  router.use(requestLog(ctx.log), identify(graphql), secureHeaders);
  for (const path of KEYLESS_PATHS) router.use(path, browsersAnywhere);
  router.use(admit, limitBody);
  routeHealth(router);
  routeProbes(router, ctx);
  routeGraphql(router, graphql, yoga);
  routeCreateCheckout(router, ctx);
  routeCompleteCheckout(router, ctx);
  routeGetCheckout(router, ctx);
  routeCheckoutTransactions(router, ctx);
  routeListSubscriptions(router, ctx);
  routeWalletTransaction(router, ctx);
  routeExports(router, ctx);
  routePublicPlan(router, ctx);
  routeCheckoutPage(router, ctx);
  routeWelcomePage(router);
  const description = openApiDocument(router, ctx.config);
  router.get('/openapi.json', (c) => c.json(description));
  routeDocsPage(router, description);
  return router;
}

function tellError(log: Logger): ErrorHandler<ApiEnv> {
  return (error, c) => {
    const known = publicError(error);
    if (!known) log.error({ err: error, requestId: c.var.requestId }, 'request failed');
    const told = known ?? INTERNAL_ERROR;
    // A key is a merchant's program's, which reads JSON.
    if (asksForCheckoutPage(c) && told.code !== 'authentication_error') return tellCustomer(c, told);
    if (c.req.path !== '/graphql') return c.json({ error: told }, statusOf(told));
    const { message, ...extensions } = told;
    return c.json({ errors: [{ message, extensions }] }, statusOf(told));
  };
}
