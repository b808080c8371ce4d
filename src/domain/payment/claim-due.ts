import type { AppContext } from '../../app.ts';
import { type Environment, Prisma } from '../../generated/prisma/client.ts';
import { type BillableSubscription, billable } from './billable.ts';
import { isDue } from './due.ts';

/** Longer than deciding, reading, signing and writing down take; a dead job's subscriptions wait this long. */
const CLAIM_SECONDS = 60;

/** Subscriptions with a payment to be tried now, longest overdue first. Changes nothing. */
export async function findDue(
  { db, clock }: AppContext,
  environment: Environment,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "Subscription"
    WHERE "environment" = ${environment}::"Environment" AND ${isDue(clock.now())}
    ORDER BY "nextAttemptAt" LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Takes those of the subscriptions in hand that are due and nobody else has. Who claims must settle each one's
 * `nextAttemptAt`, or `release` it.
 */
export async function claimDue(
  { db, clock }: AppContext,
  environment: Environment,
  subscriptionIds: readonly string[],
): Promise<BillableSubscription[]> {
  const now = clock.now();
  const until = new Date(now.getTime() + CLAIM_SECONDS * 1000);
  const claimed = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE "Subscription" SET "claimedUntil" = ${until}
    WHERE "id" IN (
      SELECT "id" FROM "Subscription"
      WHERE "id" = ANY(${[...subscriptionIds]}::uuid[])
        AND "environment" = ${environment}::"Environment" AND ${isDue(now)}
      FOR UPDATE SKIP LOCKED)
    RETURNING "id"`);
  return db.subscription.findMany({ where: { id: { in: claimed.map(({ id }) => id) } }, ...billable });
}

/**
 * Whether the claim is still in force under which something was found out about a locked subscription. Who was so slow
 * that it ran out must neither count a failure that somebody else counts too, nor send what would land too late.
 */
export function holdsClaim(
  subscription: { readonly claimedUntil: Date | null },
  claimedUntil: Date | null | undefined,
  now: Date,
): boolean {
  if (!claimedUntil || claimedUntil <= now) return false;
  return subscription.claimedUntil?.getTime() === claimedUntil.getTime();
}

/** Gives subscriptions that are still claimed back, to be tried again at `nextAttemptAt`. */
export async function release(
  { db }: AppContext,
  subscriptionIds: readonly string[],
  nextAttemptAt: Date,
): Promise<void> {
  // Not those that were settled meanwhile: their next date is the right one.
  await db.subscription.updateMany({
    where: { id: { in: [...subscriptionIds] }, claimedUntil: { not: null }, nextAttemptAt: { not: null } },
    data: { claimedUntil: null, nextAttemptAt },
  });
}
