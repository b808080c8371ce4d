import type { AppContext } from '../../../app.ts';
import { recordsOf } from '../../../db/bulk.ts';
import { claimEnd, claimTime } from '../../../db/claim.ts';
import { hasReadTheChain } from '../../../db/timeline.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { enqueuePayments } from '../schedule/enqueue-payments.ts';
import { claimSources, isDue } from './due.ts';

/**
 * The duration of a claim. After a crash the claimed subscriptions are due again when this time is
 * over.
 */
const CLAIM_SECONDS = 60;
/** A claim is renewed if it ends sooner. Most batches end before that, and write nothing for it. */
const RENEWED_WITHIN = Prisma.sql`interval '45 seconds'`;

/**
 * Maximum merchants that share a claim. Each gets at least four payments of a batch, which fill a
 * transaction of version 0.
 */
const MAX_MERCHANTS = 57;
/** Maximum merchants that a claim looks at, due or not. */
const MAX_LOOKED_AT = 5_000;
/** Lower than every id. */
const BEFORE_FIRST_MERCHANT = '00000000-0000-0000-0000-000000000000';

/**
 * The order of one merchant's due subscriptions. Only the index "Subscription_due_of_merchant" has nulls
 * first. Otherwise PostgreSQL may read all that is due in order to find those of a merchant.
 */
const inOrderOfMerchant = Prisma.sql`ORDER BY "nextAttemptAt" NULLS FIRST`;

/** The number of subscriptions that are due, counted up to `max`. */
export async function countDue(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
  max: number,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    SELECT count(*)::int AS "count" FROM (
      SELECT 1 FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND ${isDue(clock)} LIMIT ${max}
    ) AS due`);
  return row?.count ?? 0;
}

/** A worker's exclusive right to collect from these subscriptions. */
export interface Claim {
  readonly environment: Environment;
  readonly subscriptionIds: readonly string[];
  /** When the claim expires, in the time of `claimTime`. `renewClaim` changes it. */
  until: Date;
  /** Its parts. Each is renewed on its own, so a part may expire later than the claim. */
  readonly parts: Claim[];
}

/** Adds a part of some of the claim's subscriptions. */
export function partOf(claim: Claim, subscriptionIds: readonly string[]): Claim {
  const part = { ...claim, subscriptionIds, parts: [] };
  claim.parts.push(part);
  return part;
}

/** Where the shares of the next claim begin. `claimDue` changes it. */
export interface MerchantTurn {
  /** The next claim looks at the merchants after this one. */
  after: string;
}

/** The turn of a process that has not claimed yet. */
export const firstTurn = (): MerchantTurn => ({ after: BEFORE_FIRST_MERCHANT });

/**
 * Claims due subscriptions; none while the chain has not been read since the database came back. Any
 * number of workers may call it at the same time. The caller must set each one's `nextAttemptAt`, or
 * `release` it.
 *
 * One statement does three things:
 *
 * 1. It selects those that are overdue longest. If they are fewer than `limit`, all that is due is
 *    claimed.
 * 2. Otherwise it goes from merchant to merchant by index, and gives each one with due payments the
 *    same share of the claim, longest overdue first. So no merchant waits for the payments of
 *    another one. Its cost does not depend on how many payments are due.
 * 3. It claims the shares, and fills the rest of the claim with those of step 1.
 *
 * @param turn where step 2 begins
 */
export async function claimDue(
  { db, clock }: AppContext,
  environment: Environment,
  limit: number,
  turn = firstTurn(),
): Promise<Claim> {
  const maxMerchants = Math.min(MAX_MERCHANTS, limit);
  const due = Prisma.sql`"environment" = ${environment}::"Environment" AND ${isDue(clock)}`;
  const claimed = await db.$queryRaw<{ id: string; until: Date; after: string | null }[]>(Prisma.sql`
    WITH oldest AS MATERIALIZED (
      SELECT "id", "nextAttemptAt" FROM "Subscription" WHERE ${due} AND ${hasReadTheChain(environment)}
      ORDER BY "nextAttemptAt" LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ),
    seen AS MATERIALIZED (
      SELECT "id" FROM "Merchant"
      WHERE "id" > ${turn.after}::uuid AND (SELECT count(*) FROM oldest) = ${limit}
      ORDER BY "id" LIMIT ${MAX_LOOKED_AT}
    ),
    found AS MATERIALIZED (
      SELECT seen."id" FROM seen CROSS JOIN LATERAL (
        SELECT "nextAttemptAt" FROM "Subscription"
        WHERE "environment" = ${environment}::"Environment" AND "status" IN ('ACTIVE', 'PAST_DUE')
          AND "nextAttemptAt" IS NOT NULL AND "merchantId" = seen."id" ${inOrderOfMerchant} LIMIT 1
      ) AS first
      WHERE first."nextAttemptAt" <= ${clock.now()}
      ORDER BY seen."id" LIMIT ${maxMerchants}
    ),
    shares AS MATERIALIZED (
      SELECT share.* FROM found CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT "id", "nextAttemptAt" FROM "Subscription" WHERE ${due} AND "merchantId" = found."id"
          ${inOrderOfMerchant} LIMIT ${limit}
          FOR UPDATE SKIP LOCKED
        ) AS own
        LIMIT ${limit}::int / (SELECT count(*) FROM found)
      ) AS share
    )
    UPDATE "Subscription" SET "claimedUntil" = ${claimEnd(clock, CLAIM_SECONDS)}, ${claimSources}
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM (
        SELECT "id", "nextAttemptAt", 1 AS "step" FROM shares
        UNION ALL
        SELECT "id", "nextAttemptAt", 2 FROM oldest WHERE "id" NOT IN (SELECT "id" FROM shares)
      ) AS selected
      ORDER BY "step", "nextAttemptAt" LIMIT ${limit}))
    RETURNING "id", "claimedUntil" AS "until", coalesce(
      (SELECT "id" FROM found ORDER BY "id" OFFSET ${maxMerchants - 1} LIMIT 1),
      (SELECT "id" FROM seen ORDER BY "id" OFFSET ${MAX_LOOKED_AT - 1} LIMIT 1)) AS "after"`);
  // The last merchant was reached, or everything is claimed.
  turn.after = claimed[0]?.after ?? BEFORE_FIRST_MERCHANT;
  // One statement gives all of them the same end.
  const until = claimed[0]?.until ?? clock.now();
  return { environment, subscriptionIds: claimed.map(({ id }) => id), until, parts: [] };
}

/**
 * Prolongs a claim that ends soon, for the subscriptions that it still holds. A batch calls it when
 * a step is done: a slow batch keeps its claim, and one that hangs loses it.
 */
export async function renewClaim({ db, clock }: AppContext, claim: Claim): Promise<void> {
  const time = claimTime(clock);
  const [renewed] = await db.$queryRaw<{ until: Date }[]>(Prisma.sql`
    WITH held AS (
      SELECT "id" FROM "Subscription"
      WHERE "id" = ANY(${claim.subscriptionIds}::uuid[]) AND "claimedUntil" = ${claim.until}
        AND "claimedUntil" > ${time} AND "claimedUntil" < ${time} + ${RENEWED_WITHIN}
      ORDER BY "id" FOR UPDATE
    )
    UPDATE "Subscription" SET "claimedUntil" = ${claimEnd(clock, CLAIM_SECONDS)}, ${claimSources}
    FROM held WHERE "Subscription"."id" = held."id"
    RETURNING "claimedUntil" AS "until"`);
  if (renewed) claim.until = renewed.until;
}

export interface Release {
  readonly subscriptionId: string;
  /** When the payment is due again. */
  readonly nextAttemptAt: Date;
}

/** Releases subscriptions that the claim still holds, with a new due time, and plans them. */
export async function release(
  ctx: AppContext,
  { environment, until }: Claim,
  releases: readonly Release[],
): Promise<void> {
  if (releases.length === 0) return;
  const rows = releases.map(({ subscriptionId: id, nextAttemptAt }) => ({ id, nextAttemptAt }));
  // Subscriptions that were settled meanwhile keep their next date. Everything that locks several
  // subscriptions locks them in the order of their ids.
  const released = await ctx.db.$queryRaw<{ at: Date; isRetry: boolean }[]>(Prisma.sql`
    WITH held AS (
      SELECT s."id", r."nextAttemptAt"
      FROM "Subscription" s
        JOIN ${recordsOf('Subscription', rows)} AS r ON r."id" = s."id"
      WHERE s."claimedUntil" = ${until} AND s."nextAttemptAt" IS NOT NULL
      ORDER BY s."id" FOR UPDATE OF s
    )
    UPDATE "Subscription" SET "claimedUntil" = NULL, "nextAttemptAt" = held."nextAttemptAt"
    FROM held WHERE "Subscription"."id" = held."id"
    RETURNING held."nextAttemptAt" AS "at", "status" = 'PAST_DUE' AS "isRetry"`);
  await enqueuePayments(
    ctx,
    released.map((due) => ({ environment, ...due })),
  );
}
