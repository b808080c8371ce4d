import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Schedule } from './period.ts';

/** A subscription with the rows that collecting from it needs. */
export const billable = {
  include: { plan: true, customer: true, merchant: true },
} satisfies Prisma.SubscriptionDefaultArgs;

export type BillableSubscription = Prisma.SubscriptionGetPayload<typeof billable>;

/** The offset of the first due date of a new subscription from its start: its trial. */
export function offsetOfNew(plan: { readonly trialPeriodSeconds: number }, trialGranted: boolean): number {
  return trialGranted ? plan.trialPeriodSeconds : 0;
}

/** The schedule of a subscription, from which its dates are counted. */
export function scheduleOf(subscription: {
  readonly chainCreatedAt: bigint;
  readonly anchorOffsetSeconds: number;
  readonly plan: { readonly periodSeconds: number; readonly intervalSeconds: number };
}): Schedule {
  return {
    startedAt: subscription.chainCreatedAt,
    periodSeconds: BigInt(subscription.plan.periodSeconds),
    intervalSeconds: BigInt(subscription.plan.intervalSeconds),
    anchorOffsetSeconds: BigInt(subscription.anchorOffsetSeconds),
  };
}
