import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/**
 * A subscription that collects is due at some time, or has a transaction under way. One with neither would never pay again
 * and nobody would notice: it is made due now, and somebody is told, for it is a bug of ours.
 */
export async function freeStuck({ db, clock, log }: AppContext, environment: Environment): Promise<void> {
  const freed = await db.$queryRaw<{ address: string }[]>`
    UPDATE "Subscription" s SET "nextAttemptAt" = ${clock.now()}, "claimedUntil" = NULL
    WHERE s."environment" = ${environment}::"Environment" AND s."status" IN ('ACTIVE', 'PAST_DUE')
      AND s."nextAttemptAt" IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM "Payment" p JOIN "Attempt" a ON a."paymentId" = p."id"
        WHERE p."subscriptionId" = s."id" AND a."status" = 'SUBMITTED')
    RETURNING s."address"`;
  for (const { address } of freed) {
    log.error({ subscription: address, environment }, 'a subscription was stuck, its payment is due again');
  }
}
