import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { type Decision, decide, LANDING_SECONDS, type Schedule } from './period.ts';

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

/** The decision at `now` on a subscription's next payment, for a transaction that is sent now. */
export function decideNow(
  subscription: Parameters<typeof scheduleOf>[0] & { readonly nextPaymentAt: Date },
  now: Date,
): Decision {
  return decide(
    scheduleOf(subscription),
    unixSeconds(subscription.nextPaymentAt),
    unixSeconds(now),
    LANDING_SECONDS,
  );
}
