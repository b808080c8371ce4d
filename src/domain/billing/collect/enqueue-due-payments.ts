import type { AppContext } from '../../../app.ts';
import { byWorkersClock } from '../../../db/claim.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { ENQUEUED_AHEAD_MS, enqueuePayments } from '../schedule/enqueue-payments.ts';
import { hasKnownSources } from './due.ts';

/**
 * Maximum subscriptions per call, earliest due first: about 400 per second of `ENQUEUED_AHEAD_MS`.
 */
const MAX_SUBSCRIPTIONS = 50_000;

/**
 * Adds the jobs of payments that become due within the next minutes, and of due ones without a job
 * because the queue was emptied, a clock jumped, or a worker crashed with a claim. Changes no
 * subscription.
 */
export async function enqueueDuePayments(
  ctx: Pick<AppContext, 'db' | 'jobs' | 'clock' | 'log'>,
  environment: Environment,
): Promise<void> {
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + ENQUEUED_AHEAD_MS);
  // A claimed subscription is due when its claim expires.
  const claimedUntil = byWorkersClock(ctx.clock, now, Prisma.sql`"claimedUntil"`);
  const dueTimes = await ctx.db.$queryRaw<{ at: Date; isRetry: boolean; count: number }[]>(Prisma.sql`
    SELECT date_trunc('milliseconds', to_timestamp(ceil(extract(epoch FROM "at") * 10) / 10)) AS "at",
      "isRetry", count(*)::int AS "count"
    FROM (
      SELECT greatest("nextAttemptAt", ${claimedUntil}, ${now}::timestamptz) AS "at",
        "status" = 'PAST_DUE' AS "isRetry"
      FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND "status" IN ('ACTIVE', 'PAST_DUE')
        AND "nextAttemptAt" <= ${until} AND ${hasKnownSources}
      ORDER BY "nextAttemptAt" LIMIT ${MAX_SUBSCRIPTIONS}
    ) AS due
    GROUP BY 1, 2 ORDER BY 1`);
  await enqueuePayments(
    ctx,
    dueTimes.map((dueTime) => ({ environment, ...dueTime })),
  );
}
