import type { AppContext } from '../../../app.ts';
import { claimTime } from '../../../db/claim.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { enqueuePayments } from '../schedule/enqueue-payments.ts';
import { LANDING_SECONDS } from '../schedule/period.ts';

export interface ToppedUp {
  readonly tokenAccount: string;
  /** The amount that can be pulled from it now, in base units. */
  readonly balance: bigint;
  /** The slot at which it had that balance. */
  readonly slot: bigint;
  /** The subscriptions paid from it whose approval is valid. */
  readonly subscriptions: readonly string[];
  /** Whether it was not watched before: the balance may be the one with which a payment failed. */
  readonly isFirstLook: boolean;
}

export interface Retried {
  /** The number of subscriptions whose payments are due now. */
  readonly count: number;
  /**
   * Whether another payment of the account was being attempted. It may fail with the balance of before, and
   * is not retried here: the top-up must be looked at again.
   */
  readonly isAttempting: boolean;
}

/**
 * Makes PAST_DUE subscriptions due now whose token account was topped up to what is owed.
 * Another attempt without the money would only count another failure, so the balance is shared out:
 * payments of the same account that are due, claimed or in flight, or landed after that slot, take their
 * amounts first, and the subscriptions that have waited longest take the rest. On the first look at
 * an account, a subscription is skipped if its last attempt failed for insufficient funds with at
 * least this balance. Subscriptions that end, and those whose open payment is too late to be sent, take nothing.
 */
export async function retryNow(
  ctx: AppContext,
  environment: Environment,
  { tokenAccount, balance, slot, subscriptions, isFirstLook }: ToppedUp,
): Promise<Retried> {
  const now = ctx.clock.now();
  const [row] = await ctx.db.$queryRaw<Retried[]>`
    WITH waiting AS (
      SELECT s."id", s."nextPaymentAt", ${OWED} AS "amount"
      FROM "Subscription" s JOIN "Plan" l ON l."id" = s."planId"
      WHERE s."environment" = ${environment}::"Environment"
      AND s."tokenAccount" = ${tokenAccount}
      AND s."address" = ANY(${subscriptions})
      AND s."status" = 'PAST_DUE'
      AND s."nextAttemptAt" > ${now} AND s."nextPaymentAt" <= ${now} AND NOT s."cancelAtPeriodEnd"
      AND ${PERIOD_END} > extract(epoch FROM ${now}::timestamptz) + ${LANDING_SECONDS}
      AND (NOT ${isFirstLook}::boolean OR coalesce((
        SELECT a."failureCode" <> 'INSUFFICIENT_FUNDS' OR a."balanceAvailable" < ${balance}
        FROM "Attempt" a JOIN "Payment" p ON p."id" = a."paymentId"
        WHERE p."subscriptionId" = s."id" AND a."status" = 'FAILED'
        ORDER BY a."createdAt" DESC LIMIT 1), true))
      ORDER BY s."id" FOR UPDATE OF s
    ), taken AS (
      SELECT p."amount"
      FROM "Subscription" s JOIN "Payment" p ON p."subscriptionId" = s."id"
      JOIN "Attempt" a ON a."paymentId" = p."id"
      JOIN "TransferTransaction" t ON t."id" = a."transactionId"
      WHERE s."environment" = ${environment}::"Environment" AND s."tokenAccount" = ${tokenAccount}
      AND (a."status" = 'SUBMITTED' OR a."status" = 'SUCCEEDED' AND t."slot" > ${slot})
      UNION ALL
      SELECT ${OWED}
      FROM "Subscription" s
      WHERE s."environment" = ${environment}::"Environment" AND s."tokenAccount" = ${tokenAccount}
      AND s."status" IN ('ACTIVE', 'PAST_DUE')
      AND (s."claimedUntil" > ${claimTime(ctx.clock)} OR s."nextAttemptAt" <= ${now})
    ), available AS (
      SELECT ${balance}::bigint - coalesce(sum("amount"), 0) AS "amount" FROM taken
    ), able AS (
      SELECT w."id", sum(w."amount") OVER (ORDER BY w."nextPaymentAt", w."id") AS "upToHere"
      FROM waiting w JOIN available ON w."amount" <= available."amount"
    ), retried AS (
      UPDATE "Subscription" SET "nextAttemptAt" = ${now} FROM able, available
      WHERE "Subscription"."id" = able."id" AND able."upToHere" <= available."amount"
      RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM retried) AS "count", EXISTS (
      SELECT FROM "Subscription" s
      WHERE s."environment" = ${environment}::"Environment" AND s."tokenAccount" = ${tokenAccount}
      AND s."status" IN ('ACTIVE', 'PAST_DUE')
      AND (s."nextAttemptAt" IS NULL OR s."nextAttemptAt" <= ${now})) AS "isAttempting"`;
  const { count = 0, isAttempting = false } = row ?? {};
  if (count > 0) await enqueuePayments(ctx, [{ environment, at: now, isRetry: true, count }]);
  return { count, isAttempting };
}

/** The end of the chain's period from which the next payment is pulled, in unix seconds: `periodStartAt` in SQL. */
const PERIOD_END = Prisma.sql`(s."chainCreatedAt" + l."periodSeconds" * (1 + div(
  extract(epoch FROM s."nextPaymentAt") - s."chainCreatedAt", l."periodSeconds")))`;

/**
 * What a subscription owes next, in SQL: its first open payment, or what its next one will be.
 */
const OWED = Prisma.sql`coalesce((
  SELECT p."amount" FROM "Payment" p
  WHERE p."subscriptionId" = s."id" AND p."status" = 'DUE' AND p."undecidedSince" IS NULL
  ORDER BY p."periodStart" DESC, p."ordinal" LIMIT 1), s."nextAmount")`;

/**
 * The token accounts of PAST_DUE subscriptions, which are watched for top-ups: first those with a payment that
 * is retried, then those whose payments wait for a top-up, the newest first.
 */
export async function watchedTokenAccounts({ db }: AppContext, environment: Environment): Promise<string[]> {
  const rows = await db.$queryRaw<{ tokenAccount: string }[]>`
    SELECT "tokenAccount" FROM "Subscription"
    WHERE "environment" = ${environment}::"Environment" AND "status" = 'PAST_DUE'
    GROUP BY "tokenAccount"
    ORDER BY bool_or("accessUntil" IS NULL) DESC, max("accessUntil") DESC, "tokenAccount"`;
  return rows.map(({ tokenAccount }) => tokenAccount);
}
