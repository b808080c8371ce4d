import type { Subscription } from '../../../generated/prisma/client.ts';

/** The field of an event's data that distinguishes subscriptions at one address. */
export function startTimeOf({ chainCreatedAt }: Pick<Subscription, 'chainCreatedAt'>): {
  readonly startedAt: string;
} {
  return { startedAt: new Date(Number(chainCreatedAt) * 1000).toISOString() };
}
