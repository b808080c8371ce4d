import type { Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { shareResult } from '../../async/share-result.ts';
import { checkReadiness, isReady } from '../../operations/health.ts';
import { Liveness } from '../../operations/liveness.ts';
import { TimedReads } from '../../operations/timed-reads.ts';
import type { Stopping } from '../graphql/context.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** Maximum age of a cached readiness result. */
const READY_MS = 1_000;

/**
 * Liveness and readiness for load balancers, on the API's port. They are public, so they report
 * only the status. The operators' port reports the details.
 */
export function routeProbes(router: Hono<ApiEnv>, ctx: AppContext, stopping: Stopping): void {
  const reads = new TimedReads();
  const readReadiness = shareResult(() => checkReadiness(ctx, ['api'], reads), READY_MS);
  const liveness = new Liveness(() => ctx.db.$queryRaw`SELECT 1`);
  router.get('/health/live', (c) => {
    const isLive = liveness.isLive();
    return c.json({ status: isLive ? 'live' : 'no database' }, isLive ? 200 : 503);
  });
  router.get('/health/ready', async (c) => {
    if (stopping.hasBegun) return c.json({ status: 'stopping' }, 503);
    const isUp = isReady(await readReadiness(), ['api']);
    return c.json({ status: isUp ? 'ready' : 'not ready' }, isUp ? 200 : 503);
  });
}
