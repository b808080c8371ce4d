import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../../app.ts';
import { BEFORE_FIRST_ENDPOINT, dueEndpoints } from './due-endpoints.ts';
import { enqueueDeliveries } from './enqueue-deliveries.ts';

type EnqueueContext = Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>;

/** The endpoint after which the scheduler's next call continues. */
export interface EnqueueProgress {
  after: string;
}

/** Starts at a random endpoint, so that several schedulers do not begin with the same endpoints. */
export function newEnqueueProgress(): EnqueueProgress {
  return { after: randomUUID() };
}

/**
 * Adds a job for each endpoint with a due delivery. Most have one already. This adds the jobs that
 * were lost with their queue, or whose time changed because a clock jumped.
 */
export async function enqueueDueDeliveries(
  ctx: EnqueueContext,
  progress = newEnqueueProgress(),
): Promise<void> {
  const isFromStart = progress.after === BEFORE_FIRST_ENDPOINT;
  await enqueueFrom(ctx, progress);
  // The last endpoint is reached: the endpoints before the starting one are next.
  if (progress.after === BEFORE_FIRST_ENDPOINT && !isFromStart) await enqueueFrom(ctx, progress);
}

async function enqueueFrom(ctx: EnqueueContext, progress: EnqueueProgress): Promise<void> {
  const { endpointIds, last } = await dueEndpoints(ctx, progress.after);
  progress.after = last;
  await enqueueDeliveries(
    ctx,
    endpointIds.map((endpointId) => ({ endpointId })),
  );
}
