import type { AppContext } from '../../../app.ts';
import { claimTime } from '../../../db/claim.ts';
import { budgetStart } from '../../checkout/sponsoring/sponsor-budget.ts';

/** For each upkeep job, whether it has work now in any environment. */
export interface UpkeepWaiting {
  readonly 'transactions.follow': boolean;
  readonly 'payments.tidy': boolean;
  readonly 'refunds.check': boolean;
  readonly 'timelines.follow': boolean;
  readonly 'sessions.expire': boolean;
  readonly 'metrics.fold': boolean;
  readonly 'states.refresh': boolean;
  readonly 'mails.send': boolean;
}

/** Finds in one statement which jobs have work, apart from collecting. */
export async function upkeepWaiting({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<UpkeepWaiting> {
  const now = clock.now();
  const [waiting] = await db.$queryRaw<UpkeepWaiting[]>`
    SELECT EXISTS (SELECT FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "transactions.follow",
      EXISTS (SELECT FROM "Payment" WHERE "status" = 'SUCCEEDED' AND NOT "finalized")
        OR EXISTS (SELECT FROM "Payment" WHERE "status" = 'SUCCEEDED' AND "finalized" AND "receiptNumber" IS NULL)
        OR EXISTS (SELECT FROM "Payment" WHERE "status" = 'DUE' AND "undecidedSince" IS NOT NULL)
        OR EXISTS (SELECT FROM "ChainTransfer" WHERE "paymentId" IS NULL)
        OR EXISTS (SELECT FROM "Subscription" WHERE "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" IS NULL)
        OR EXISTS (SELECT FROM "SponsoredTransaction" WHERE "status" = 'RESERVED')
        OR EXISTS (SELECT FROM "SponsoredTransaction" WHERE "status" = 'EXPIRED' AND "createdAt" <= ${budgetStart(now)})
        AS "payments.tidy",
      EXISTS (SELECT FROM "Refund" WHERE "nextCheckAt" <= ${now}) AS "refunds.check",
      EXISTS (SELECT FROM "DatabaseTimeline" WHERE "readAt" IS NULL) AS "timelines.follow",
      EXISTS (SELECT FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "expiresAt" <= ${now})
        OR EXISTS (SELECT FROM "DiscountRedemption" WHERE "status" = 'RESERVED' AND "expiresAt" <= ${now})
        OR EXISTS (SELECT FROM "IdempotencyKey" WHERE "expiresAt" <= ${now}) AS "sessions.expire",
      EXISTS (SELECT FROM "PlanDayChange") OR EXISTS (SELECT FROM "MrrChange") OR EXISTS (SELECT FROM "SubscriptionCountChange") AS "metrics.fold",
      EXISTS (SELECT FROM "CustomerState" WHERE "changesAt" <= ${now}) OR EXISTS (SELECT FROM "StateRefresh") AS "states.refresh",
      EXISTS (SELECT FROM "Mail" WHERE "status" = 'QUEUED' AND "nextAttemptAt" <= ${claimTime(clock)}) AS "mails.send"`;
  if (!waiting) throw new Error('The upkeep query returned no row.');
  return waiting;
}
