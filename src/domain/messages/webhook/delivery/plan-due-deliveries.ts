import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../../app.ts';
import { BEFORE_FIRST_ENDPOINT, dueEndpoints } from './due-endpoints.ts';
import { planDeliveries } from './plan-deliveries.ts';

type PlanningContext = Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>;

/** The endpoint after which the planner's next call continues. */
export interface DuePlanning {
  after: string;
}

/** Starts at a random endpoint, so that several planners do not plan the same endpoints first. */
export function newDuePlanning(): DuePlanning {
  return { after: randomUUID() };
}

/**
 * Plans a job for each endpoint with a due delivery. Most have one already. This adds the jobs that
 * were lost with their queue, or whose time changed because a clock jumped.
 */
export async function planDueDeliveries(ctx: PlanningContext, planning = newDuePlanning()): Promise<void> {
  const isFromStart = planning.after === BEFORE_FIRST_ENDPOINT;
  await planFrom(ctx, planning);
  // The last endpoint is reached: the endpoints before the starting one are next.
  if (planning.after === BEFORE_FIRST_ENDPOINT && !isFromStart) await planFrom(ctx, planning);
}

async function planFrom(ctx: PlanningContext, planning: DuePlanning): Promise<void> {
  const { endpointIds, last } = await dueEndpoints(ctx, planning.after);
  planning.after = last;
  await planDeliveries(
    ctx,
    endpointIds.map((endpointId) => ({ endpointId })),
  );
}
