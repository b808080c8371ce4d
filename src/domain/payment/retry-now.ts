import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';

export interface ToppedUp {
  readonly tokenAccount: string;
  /** What can be collected from it now. */
  readonly balance: bigint;
  /** Those subscriptions of it whose approval stands. */
  readonly subscriptions: readonly string[];
  /** It was not watched before: what it holds now may be what a payment failed with. */
  readonly isFirstLook: boolean;
}

/**
 * A token account now holds enough: past-due payers who pay from it and could pay their plan with that are tried at once
 * instead of at their next retry. After a first look not those whose last try failed for want of money and found as much: every
 * failure counts, so none is made that is not worth it. Answers with how many.
 */
export async function retryNow(
  { db, clock }: AppContext,
  environment: Environment,
  { tokenAccount, balance, subscriptions, isFirstLook }: ToppedUp,
): Promise<number> {
  const now = clock.now();
  return db.$executeRaw`
    WITH able AS (
      SELECT s."id" FROM "Subscription" s JOIN "Plan" ON "Plan"."id" = s."planId"
      WHERE s."environment" = ${environment}::"Environment"
      AND s."tokenAccount" = ${tokenAccount}
      AND s."address" = ANY(${subscriptions})
      AND s."status" = 'PAST_DUE'
      AND s."nextAttemptAt" > ${now}
      AND "Plan"."amount" <= ${balance}
      AND (NOT ${isFirstLook}::boolean OR coalesce((
        SELECT a."failureCode" <> 'INSUFFICIENT_FUNDS' OR a."balanceAvailable" < ${balance}
        FROM "Attempt" a JOIN "Payment" p ON p."id" = a."paymentId"
        WHERE p."subscriptionId" = s."id" AND a."status" = 'FAILED'
        ORDER BY a."createdAt" DESC LIMIT 1), true))
      ORDER BY s."id" FOR UPDATE OF s
    )
    UPDATE "Subscription" SET "nextAttemptAt" = ${now} FROM able WHERE "Subscription"."id" = able."id"`;
}

/** Token accounts of past-due payers: those to watch for a top-up. */
export async function watchedTokenAccounts({ db }: AppContext, environment: Environment): Promise<string[]> {
  const rows = await db.$queryRaw<{ tokenAccount: string }[]>`
    SELECT DISTINCT "tokenAccount" FROM "Subscription"
    WHERE "environment" = ${environment}::"Environment" AND "status" = 'PAST_DUE'`;
  return rows.map(({ tokenAccount }) => tokenAccount);
}
