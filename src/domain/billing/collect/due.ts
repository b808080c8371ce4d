import type { Clock } from '../../../clock.ts';
import { isFree } from '../../../db/claim.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { KNOWN_LINE_SOURCES } from '../price/line-sources.ts';

/**
 * The only definition of due, over the table "Subscription": a payment may be attempted now, is not
 * claimed, and this release knows what it consists of. Claiming uses it, and so do the gauges of
 * waiting work; the partial index "Subscription_due" covers it. The scheduler reads the same index
 * further ahead.
 */
export function isDue(clock: Clock): Prisma.Sql {
  return Prisma.sql`
    "status" IN ('ACTIVE', 'PAST_DUE')
    AND "nextAttemptAt" <= ${clock.now()}
    AND ${hasKnownSources}
    AND ${isFree(clock)}`;
}

/**
 * Whether this release knows every source of a subscription's lines, in SQL. Without `coalesce`
 * PostgreSQL would expect this of one row in 200, and sort all due rows instead of reading the first
 * ones by index.
 */
export const hasKnownSources = Prisma.sql`coalesce(("lineSources" & ~${KNOWN_LINE_SOURCES}::int) = 0, false)`;

/**
 * How long after its due date a payment may be first attempted, in SQL, for the tables "Subscription" s and
 * "Plan" p: `attemptDelay` of the largest number of seconds that the plan has had, because a change leaves
 * attempts that were set before.
 */
export const LONGEST_DELAY = Prisma.sql`
  CASE WHEN p."maxCollectWithinSeconds" = 0 THEN interval '0' ELSE
    ((('x' || right(s."id"::text, 8))::bit(32)::bigint * p."maxCollectWithinSeconds") >> 32) * interval '1 second' END`;

/** Tells the database, in the statement of a claim, what this release knows. It is not stored. */
export const claimSources = Prisma.sql`
  "claimSources" = CASE WHEN "lineSources" <> 0 THEN ${KNOWN_LINE_SOURCES}::int END`;
