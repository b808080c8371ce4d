import type { OpenAPIHono } from '@hono/zod-openapi';
import type { GraphqlServer } from '../graphql/context.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { identifyPortal, type PortalEnv } from './portal-access.ts';
import { routePortalSignIn } from './sign-in-routes.ts';
import { routePortalSubscriptions } from './subscription-routes.ts';

/** Adds the routes that the page of the customer portal calls. */
export function routePortal(router: OpenAPIHono<ApiEnv>, server: GraphqlServer): void {
  const portal = router as unknown as OpenAPIHono<PortalEnv>;
  portal.use('/api/portal/*', identifyPortal(server.app));
  routePortalSignIn(portal, server);
  routePortalSubscriptions(portal, server);
}
