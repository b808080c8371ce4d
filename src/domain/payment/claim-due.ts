import type { AppContext } from '../../app.ts';
import { asRows } from '../../db-rows.ts';
import { type Environment, Prisma } from '../../generated/prisma/client.ts';
import { isDue } from './due.ts';

/** Longer than deciding, reading, signing and writing down take; a dead process's subscriptions wait this long. */
const CLAIM_SECONDS = 60;

/** How many subscriptions have a payment to be tried now, counted up to `most`. Changes nothing. */
export async function countDue(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
  most: number,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS "count" FROM (
      SELECT 1 FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND ${isDue(clock.now())} LIMIT ${most}
    ) AS due`);
  return row?.count ?? 0;
}

/** Subscriptions that somebody has in hand. */
export interface Claim {
  readonly subscriptionIds: readonly string[];
  /** It runs out by itself. */
  readonly until: Date;
}

/**
 * Takes what is due in hand, longest overdue first, that nobody else has: any number of workers may ask. Who claims must
 * settle each one's `nextAttemptAt`, or `release` it.
 */
export async function claimDue(
  { db, clock }: AppContext,
  environment: Environment,
  limit: number,
): Promise<Claim> {
  const now = clock.now();
  const until = new Date(now.getTime() + CLAIM_SECONDS * 1000);
  const claimed = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    UPDATE "Subscription" SET "claimedUntil" = ${until}
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND ${isDue(now)}
      ORDER BY "nextAttemptAt" LIMIT ${limit}
      FOR UPDATE SKIP LOCKED))
    RETURNING "id"`);
  return { subscriptionIds: claimed.map(({ id }) => id), until };
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

export interface Release {
  readonly subscriptionId: string;
  /** When it is to be tried again. */
  readonly nextAttemptAt: Date;
}

/** Gives what is still held by the claim back, to be tried again later. */
export async function release({ db }: AppContext, until: Date, releases: readonly Release[]): Promise<void> {
  if (releases.length === 0) return;
  // Not those that were settled meanwhile: their next date is the right one. Locked in the order that all lock in.
  await db.$executeRaw(Prisma.sql`
    WITH held AS (
      SELECT s."id", r."nextAttemptAt"
      FROM "Subscription" s
        JOIN jsonb_to_recordset(${asRows(releases)}::jsonb) AS r("subscriptionId" uuid, "nextAttemptAt" timestamptz)
          ON r."subscriptionId" = s."id"
      WHERE s."claimedUntil" = ${until} AND s."nextAttemptAt" IS NOT NULL
      ORDER BY s."id" FOR UPDATE OF s
    )
    UPDATE "Subscription" SET "claimedUntil" = NULL, "nextAttemptAt" = held."nextAttemptAt"
    FROM held WHERE "Subscription"."id" = held."id"`);
}
