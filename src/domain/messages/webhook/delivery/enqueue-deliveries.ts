import type { AppContext } from '../../../../app.ts';
import { inChunks } from '../../../../async/in-chunks.ts';

/** Maximum jobs added together: the PostgreSQL queue locks each, and has a few thousand locks. */
const JOBS_PER_BATCH = 250;

export interface DeliveryJob {
  readonly endpointId: string;
  /** The delay from now; default 0. */
  readonly delayMs?: number;
  /** Whether the last visit got no capacity, so that the jobs of other endpoints run first. */
  readonly isWithoutCapacity?: boolean | undefined;
}

/**
 * Adds the job that delivers the due deliveries of each endpoint. There is one job per endpoint at
 * a time: a delayed job is moved to the new time, a waiting job is left as it is, and a running job
 * is followed by another. Never rejects: the scheduler finds pending deliveries in the database.
 */
export async function enqueueDeliveries(
  { jobs, log }: Pick<AppContext, 'jobs' | 'log'>,
  deliveryJobs: readonly DeliveryJob[],
): Promise<void> {
  if (deliveryJobs.length === 0) return;
  try {
    for (const batch of inChunks(deliveryJobs, JOBS_PER_BATCH)) {
      await jobs.addMany(
        'webhooks.deliver',
        batch.map(({ endpointId, delayMs = 0, isWithoutCapacity }) => ({
          payload: { endpointId },
          delayMs,
          ...(isWithoutCapacity && { priority: 1 }),
          deduplication: { id: endpointId, keepLastIfActive: true, reschedule: true },
        })),
      );
    }
  } catch (err) {
    log.warn(
      { err, endpoints: deliveryJobs.length },
      'delivery jobs may not have been added: the scheduler will add them',
    );
  }
}
