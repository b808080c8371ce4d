import type { AppContext } from '../../app.ts';
import { type Environment, Prisma } from '../../generated/prisma/client.ts';

/**
 * A token account now holds `balance`: past-due payers who pay from it and could pay their plan with that are tried at
 * once instead of at their next retry. Answers with how many.
 */
export async function retryNow(
  { db, clock }: AppContext,
  environment: Environment,
  tokenAccount: string,
  balance: bigint,
): Promise<number> {
  const now = clock.now();
  return db.$executeRaw(Prisma.sql`
    UPDATE "Subscription" SET "nextAttemptAt" = ${now}
    FROM "Plan"
    WHERE "Plan"."id" = "Subscription"."planId"
      AND "Subscription"."environment" = ${environment}::"Environment"
      AND "Subscription"."tokenAccount" = ${tokenAccount}
      AND "Subscription"."status" = 'PAST_DUE'
      AND "Subscription"."nextAttemptAt" > ${now}
      AND "Plan"."amount" <= ${balance}`);
}

/** Token accounts of past-due payers: those to watch for a top-up. */
export async function watchedTokenAccounts({ db }: AppContext, environment: Environment): Promise<string[]> {
  const rows = await db.subscription.findMany({
    where: { environment, status: 'PAST_DUE' },
    select: { tokenAccount: true },
    distinct: ['tokenAccount'],
  });
  return rows.map((row) => row.tokenAccount);
}
