import type { Prisma } from '../../generated/prisma/client.ts';
import type { Schedule } from './period.ts';

/** All of a subscription that collecting from it takes. */
export const billable = {
  include: { plan: true, customer: true, merchant: true },
} satisfies Prisma.SubscriptionDefaultArgs;

export type BillableSubscription = Prisma.SubscriptionGetPayload<typeof billable>;

/** What the subscription's dates are counted from. */
export function scheduleOf(subscription: {
  readonly chainCreatedAt: bigint;
  readonly plan: { readonly intervalSeconds: number; readonly trialPeriodSeconds: number };
}): Schedule {
  return {
    startedAt: subscription.chainCreatedAt,
    intervalSeconds: BigInt(subscription.plan.intervalSeconds),
    trialSeconds: BigInt(subscription.plan.trialPeriodSeconds),
  };
}

/** The session's metadata, which every event about the subscription repeats. */
export function metadataOf({ metadata }: { readonly metadata: Prisma.JsonValue }): {
  [key: string]: unknown;
} {
  return metadata as Prisma.JsonObject;
}

export function unixSeconds(date: Date): bigint {
  return BigInt(Math.floor(date.getTime() / 1000));
}

export function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000);
}
