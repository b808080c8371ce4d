import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Schedule } from './period.ts';

/** A subscription with the rows that collecting from it needs. */
export const billable = {
  include: { plan: true, customer: true, merchant: true },
} satisfies Prisma.SubscriptionDefaultArgs;

export type BillableSubscription = Prisma.SubscriptionGetPayload<typeof billable>;

/** The schedule of a subscription, from which its dates are counted. */
export function scheduleOf(subscription: {
  readonly chainCreatedAt: bigint;
  readonly trialGranted: boolean;
  readonly plan: { readonly intervalSeconds: number; readonly trialPeriodSeconds: number };
}): Schedule {
  return {
    startedAt: subscription.chainCreatedAt,
    intervalSeconds: BigInt(subscription.plan.intervalSeconds),
    trialSeconds: subscription.trialGranted ? BigInt(subscription.plan.trialPeriodSeconds) : 0n,
  };
}
