import type { Plan } from '../../generated/prisma/client.ts';

/** Whether the plan can be subscribed to. Nobody tells us when a plan's end passes: the date does. */
export function acceptsSubscribers({ status, endsAt }: Pick<Plan, 'status' | 'endsAt'>, now: Date): boolean {
  return status === 'ACTIVE' && !hasEnded({ endsAt }, now);
}

/** Nothing can be collected on it any more, from anybody. */
export function hasEnded({ endsAt }: Pick<Plan, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt <= now;
}
