import { Prisma } from '../../generated/prisma/client.ts';

/**
 * The one definition of due, over the table "Subscription": a payment is to be tried now, and nobody has it in hand. The
 * sweep selects by it, a charge job claims by it, and the partial index "Subscription_due" covers it.
 */
export function isDue(now: Date): Prisma.Sql {
  return Prisma.sql`
    "status" IN ('ACTIVE', 'PAST_DUE')
    AND "nextAttemptAt" <= ${now}
    AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now})`;
}
