import type { AppContext } from '../app.ts';
import { claimTime } from '../db/claim-time.ts';
import { budgetStart } from './checkout/sponsor-budget.ts';

/** The jobs that have something to do now, in all environments. */
export interface UpkeepWaiting {
  readonly 'transactions.follow': boolean;
  readonly 'payments.tidy': boolean;
  readonly 'refunds.check': boolean;
  readonly 'sessions.expire': boolean;
  readonly 'metrics.fold': boolean;
  readonly 'mails.send': boolean;
}

/** Looks, in one statement, what there is to do beside collecting. */
export async function upkeepWaiting({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<UpkeepWaiting> {
  const now = clock.now();
  const [waiting] = await db.$queryRaw<UpkeepWaiting[]>`
    SELECT EXISTS (SELECT FROM "TransferTransaction" WHERE "status" = 'SUBMITTED') AS "transactions.follow",
      EXISTS (SELECT FROM "Payment" WHERE "status" = 'SUCCEEDED' AND NOT "finalized")
        OR EXISTS (SELECT FROM "Payment" WHERE "status" = 'SUCCEEDED' AND "finalized" AND "receiptNumber" IS NULL)
        OR EXISTS (SELECT FROM "ChainTransfer" WHERE "paymentId" IS NULL)
        OR EXISTS (SELECT FROM "Subscription" WHERE "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" IS NULL)
        OR EXISTS (SELECT FROM "SponsoredTransaction" WHERE "status" = 'RESERVED')
        OR EXISTS (SELECT FROM "SponsoredTransaction" WHERE "status" = 'EXPIRED' AND "createdAt" <= ${budgetStart(now)})
        AS "payments.tidy",
      EXISTS (SELECT FROM "Refund" WHERE "nextCheckAt" <= ${now}) AS "refunds.check",
      EXISTS (SELECT FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "expiresAt" <= ${now})
        OR EXISTS (SELECT FROM "IdempotencyKey" WHERE "expiresAt" <= ${now}) AS "sessions.expire",
      EXISTS (SELECT FROM "PlanDayChange") OR EXISTS (SELECT FROM "SubscriptionCountChange") AS "metrics.fold",
      EXISTS (SELECT FROM "Mail" WHERE "status" = 'QUEUED' AND "nextAttemptAt" <= ${claimTime(clock)}) AS "mails.send"`;
  if (!waiting) throw new Error('a statement without a row');
  return waiting;
}
