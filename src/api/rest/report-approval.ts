import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { forPublic } from '../../domain/accounts/merchant/for-public.ts';
import { reportApproval } from '../../domain/checkout/completion/report-approval.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { completeRequest } from './complete-checkout.ts';
import { HIDDEN } from './hidden-route.ts';

const route = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/checkout/{sessionId}/approval',
  request: completeRequest,
});

/**
 * Adds the route that the checkout page polls after the customer has approved. While the network
 * confirms the transaction it answers 200 with `confirming`, because a browser logs every other
 * status as an error. Apps use `complete`.
 */
export function routeReportApproval(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { sessionId } = c.req.valid('param');
    const reported = await reportApproval(forPublic(ctx), sessionId, c.req.valid('json'));
    return c.json(
      reported.status === 'CONFIRMING'
        ? { status: 'confirming' as const, redirectUrl: null }
        : { status: 'completed' as const, redirectUrl: reported.redirectUrl },
    );
  });
}
