import type { Plan } from '../../../generated/prisma/client.ts';

/**
 * Whether a wallet can subscribe to the plan. The status of a plan does not change when the plan
 * ends, so the date is checked too.
 */
export function acceptsSubscribers({ status, endsAt }: Pick<Plan, 'status' | 'endsAt'>, now: Date): boolean {
  return status === 'ACTIVE' && !hasEnded({ endsAt }, now);
}

/** Whether the plan has ended, so that nothing more can be collected for it. */
export function hasEnded({ endsAt }: Pick<Plan, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt <= now;
}
