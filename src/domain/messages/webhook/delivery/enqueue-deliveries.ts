import type { AppContext } from '../../../../app.ts';
import { inChunks } from '../../../../async/in-chunks.ts';

/** Maximum jobs added together: the PostgreSQL queue locks each, and has a few thousand locks. */
const JOBS_PER_BATCH = 250;

/**
 * Delay that lets an idle worker take a visit before the one that has just finished with it: that
 * one fetches a waiting job at once.
 */
export const HAND_OVER_MS = 5;

export interface DeliveryJob {
  readonly endpointId: string;
  /** The number of the visit; default 0. */
  readonly visit?: number;
  /** The delay from now; default 0. */
  readonly delayMs?: number;
  /** Whether the last visit got no capacity, so that the jobs of other endpoints run first. */
  readonly isWithoutCapacity?: boolean | undefined;
}

/**
 * Adds jobs that deliver the due deliveries of endpoints. There is one job per visit at a time: a
 * delayed job is moved to the new time, a waiting job is left as it is, and a running job is
 * followed by another. Never rejects: the scheduler finds pending deliveries in the database.
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
        batch.map(({ endpointId, visit = 0, delayMs = 0, isWithoutCapacity }) => ({
          payload: { endpointId },
          delayMs,
          ...(isWithoutCapacity && { priority: 1 }),
          // The visit is in this id, because the release before refuses unknown keys in a payload.
          deduplication: {
            id: visit === 0 ? endpointId : `${endpointId}/${visit}`,
            keepLastIfActive: true,
            reschedule: true,
          },
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

/** The number of the visit of a job. */
export function visitOf(deduplicationId: string | undefined): number {
  return Number(deduplicationId?.split('/')[1] ?? 0);
}
