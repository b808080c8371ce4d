import type { Hono } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { sendPage } from './send-page.ts';

/**
 * Serves the start page at the URL of the service, with links to the dashboard, the portal and the
 * documentation.
 */
export function routeWelcomePage(router: Hono<ApiEnv>): void {
  router.get('/', (c) => sendPage(c, 'welcome', {}));
}
