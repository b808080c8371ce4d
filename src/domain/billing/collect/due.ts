import type { Clock } from '../../../clock.ts';
import { isFree } from '../../../db/claim.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/**
 * The only definition of due, over the table "Subscription": a payment may be attempted now and is
 * not claimed. Claiming uses it, and so do the gauges of waiting work; the partial index
 * "Subscription_due" covers it. The scheduler reads the same index further ahead.
 */
export function isDue(clock: Clock): Prisma.Sql {
  return Prisma.sql`
    "status" IN ('ACTIVE', 'PAST_DUE')
    AND "nextAttemptAt" <= ${clock.now()}
    AND ${isFree(clock)}`;
}
