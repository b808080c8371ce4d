import type { AppContext } from '../../../../app.ts';
import { byWorkersClock, claimTime, isFree } from '../../../../db/claim.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { firstOfLine } from './delivery-lines.ts';
import { PACE_AHEAD } from './pace.ts';

/**
 * The times at which the next delivery of each endpoint may be attempted, by our clock. Disabled
 * endpoints and those without a pending delivery are not included. A claimed delivery counts from
 * the end of its claim, because its worker may have crashed.
 */
export async function nextAttemptTimes(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  endpointIds: readonly string[],
): Promise<Map<string, Date>> {
  const now = clock.now();
  const time = claimTime(clock);
  const rows = await db.$queryRaw<{ id: string; at: Date }[]>`
    SELECT w."id", greatest(
      CASE WHEN free."at" <= ${now} THEN free."at" ELSE least(free."at", (
        -- All due deliveries are claimed, so there are few.
        SELECT ${byWorkersClock(clock, now, Prisma.sql`min(d."claimedUntil")`)} FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" = w."id" AND d."nextAttemptAt" <= ${now} AND d."claimedUntil" > ${time}
      )) END,
      w."pausedUntil",
      -- With a rate limit: the time when about half of the attempts within PACE_AHEAD may be
      -- claimed.
      CASE WHEN w."maxPerSecond" IS NOT NULL THEN
        ${byWorkersClock(clock, now, Prisma.sql`w."pacedUntil"`)}
          - least(interval '50 milliseconds', ${PACE_AHEAD} - interval '1 second' / w."maxPerSecond") END
    ) AS "at"
    FROM unnest(${endpointIds as string[]}::uuid[]) AS asked("id")
    JOIN "WebhookEndpoint" w ON w."id" = asked."id" AND w."status" = 'ENABLED'
    CROSS JOIN LATERAL (
      SELECT (
        SELECT d."nextAttemptAt" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" = w."id" AND ${isFree(clock, Prisma.sql`d."claimedUntil"`)}
        ORDER BY d."nextAttemptAt" LIMIT 1
      ) AS "at"
    ) free
    WHERE EXISTS (SELECT FROM "Delivery" d WHERE ${firstOfLine} AND d."endpointId" = w."id")`;
  return new Map(rows.map(({ id, at }) => [id, at]));
}
