import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';

/** Maximum jobs added together: the PostgreSQL queue locks each, and has a few thousand locks. */
const PLANS_PER_BATCH = 250;

export interface DeliveryPlan {
  readonly endpointId: string;
  /** From now; 0 by default. */
  readonly delayMs?: number;
  /** Whether the last visit got no place: jobs of all other endpoints run first. */
  readonly isWithoutPlace?: boolean | undefined;
}

/**
 * Plans the job that delivers what is due at each endpoint. There is one job per endpoint at a
 * time: a delayed job is moved to the new time, a waiting job is enough, and a running job is
 * followed by another. Never rejects: the planner finds pending deliveries in the database.
 */
export async function planDeliveries(
  { jobs, log }: Pick<AppContext, 'jobs' | 'log'>,
  plans: readonly DeliveryPlan[],
): Promise<void> {
  if (plans.length === 0) return;
  try {
    for (const some of inChunks(plans, PLANS_PER_BATCH)) {
      await jobs.addMany(
        'webhooks.deliver',
        some.map(({ endpointId, delayMs = 0, isWithoutPlace }) => ({
          payload: { endpointId },
          delayMs,
          ...(isWithoutPlace && { priority: 1 }),
          deduplication: { id: endpointId, keepLastIfActive: true, reschedule: true },
        })),
      );
    }
  } catch (err) {
    log.warn({ err, endpoints: plans.length }, 'deliveries may not be planned: the planner will add them');
  }
}
