import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * Makes stuck subscriptions due now. A subscription that is collected has a due time or an attempt
 * in flight. One with neither would never be collected again: that is a bug, so an error is logged.
 *
 * All attempts in flight are read once, because a subscription has any number of payments.
 */
export async function makeStuckDue({ db, clock, log }: AppContext, environment: Environment): Promise<void> {
  const stuckSubscriptions = await db.$queryRaw<{ address: string }[]>`
    WITH in_flight AS MATERIALIZED (
      SELECT p."subscriptionId" FROM "Attempt" a JOIN "Payment" p ON p."id" = a."paymentId" WHERE a."status" = 'SUBMITTED'
    )
    UPDATE "Subscription" s SET "nextAttemptAt" = ${clock.now()}, "claimedUntil" = NULL
    WHERE s."environment" = ${environment}::"Environment" AND s."status" IN ('ACTIVE', 'PAST_DUE')
      AND s."nextAttemptAt" IS NULL
      AND NOT EXISTS (SELECT FROM in_flight WHERE in_flight."subscriptionId" = s."id")
    RETURNING s."address"`;
  for (const { address } of stuckSubscriptions) {
    log.error({ subscription: address, environment }, 'subscription was stuck: its payment is due again');
  }
}
