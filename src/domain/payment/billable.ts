import type { DbTransaction } from '../../db.ts';
import { Prisma } from '../../generated/prisma/client.ts';
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

/**
 * Locks the subscription's row until the transaction ends and reads it: whoever changes what is owed does this first,
 * so that settling, failing and cancelling take turns.
 */
export async function lockSubscription(tx: DbTransaction, id: string): Promise<BillableSubscription> {
  await tx.$queryRaw(Prisma.sql`SELECT 1 FROM "Subscription" WHERE "id" = ${id}::uuid FOR UPDATE`);
  return tx.subscription.findUniqueOrThrow({ where: { id }, ...billable });
}
