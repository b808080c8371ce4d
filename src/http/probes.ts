import type { Hono } from 'hono';
import type { AppContext } from '../app.ts';
import { checkReadiness } from '../operations/health.ts';
import type { ApiEnv } from './api-env.ts';

/**
 * What load balancers ask of the API, on its own port: whether it runs, and whether requests can be answered. Public, so it
 * says no more than that; what is wrong is told on the operators' port.
 */
export function routeProbes(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/health/live', (c) => c.json({ status: 'live' }));
  router.get('/health/ready', async (c) => {
    const checks = Object.values(await checkReadiness(ctx, ['api']));
    const isReady = checks.every(({ ok }) => ok);
    return c.json({ status: isReady ? 'ready' : 'not ready' }, isReady ? 200 : 503);
  });
}
