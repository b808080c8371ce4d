import type { AppContext } from '../../../app.ts';
import { shareResult } from '../../../async/share-result.ts';
import { BillingError } from '../../../errors.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { type CollectorState, readCollectors } from '../../chain-state/collector/read-collectors.ts';
import {
  type MirrorHealth,
  type MirrorState,
  mirrorHealth,
  mirrorState,
} from '../../chain-state/mirror/mirror-health.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';

/** The health of the service in an environment, for its merchants. */
export interface ServiceHealth {
  /** Null while the cluster does not respond. */
  readonly collectors: readonly CollectorState[] | null;
  readonly mirror: MirrorHealth & { readonly state: MirrorState };
  readonly checkedAt: Date;
}

/** A result is shared for this time, because each reading sums up the costs of a week. */
const SHARED_MS = 5_000;

export type ReadServiceHealth = (environment: Environment) => Promise<ServiceHealth>;

/**
 * The function that reads the health of an environment; calls within five seconds share one
 * reading.
 *
 * @throws BillingError invalid_request if the environment is not configured
 */
export function createServiceHealth(ctx: AppContext): ReadServiceHealth {
  const readHealth = {
    TEST: shareResult(() => readServiceHealth(ctx, 'TEST'), SHARED_MS),
    LIVE: shareResult(() => readServiceHealth(ctx, 'LIVE'), SHARED_MS),
  };
  return (environment) => readHealth[environment]();
}

async function readServiceHealth(ctx: AppContext, environment: Environment): Promise<ServiceHealth> {
  const [collectors, mirror] = await Promise.all([
    collectorsOf(ctx, environment),
    mirrorHealth(ctx, environment),
  ]);
  return { collectors, mirror: { ...mirror, state: mirrorState(mirror) }, checkedAt: ctx.clock.now() };
}

async function collectorsOf(ctx: AppContext, environment: Environment): Promise<CollectorState[] | null> {
  try {
    return await readCollectors(ctx, chainOf(ctx, environment));
  } catch (err) {
    if (err instanceof BillingError) throw err;
    ctx.log.warn({ err, environment }, 'collectors not read');
    return null;
  }
}
