import type { Plan } from '../../generated/prisma/client.ts';

/**
 * Whether a wallet can subscribe to the plan. No event marks the end of a plan, so its date is
 * checked.
 */
export function acceptsSubscribers({ status, endsAt }: Pick<Plan, 'status' | 'endsAt'>, now: Date): boolean {
  return status === 'ACTIVE' && !hasEnded({ endsAt }, now);
}

/** Whether nothing can be collected for the plan any more. */
export function hasEnded({ endsAt }: Pick<Plan, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt <= now;
}
