import type { DbTransaction } from '../../../db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { boundWaits } from './bound-waits.ts';

// A line: the deliveries of one subscription to one endpoint that are not over, by sequence. Only its first has
// `nextAttemptAt`; the others wait without one and are in nobody's way. When the first is over, whoever writes that down
// gives the next its time. What was sent again on request (`replayed`) forms a line of its own.
//
// What could go wrong: a delivery is added behind one that is just being settled, neither sees the other, and it waits for
// ever. Hence a lock for the lines of an endpoint: settling takes it shared, everything that adds to lines or takes out of
// their middle takes it alone. A statement after it sees all that the others have done.

/** At most so many locks, however many endpoints a transaction is about: PostgreSQL has room for a few thousand. */
const LOCKS = 256;

/**
 * To be called once in a transaction, for all endpoints that it is about, before the first statement that reads lines. Everybody
 * takes the locks in the same order. Rows of endpoints are locked after them, never before.
 */
export async function lockLines(
  tx: DbTransaction,
  use: 'settle' | 'rearrange',
  endpointIds: readonly string[],
): Promise<void> {
  await boundWaits(tx);
  const lock = use === 'settle' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.$executeRaw`
    SELECT ${Prisma.raw(lock)}(hashtext('dues: webhook lines'), "key")
    FROM (
      SELECT DISTINCT hashtext(id) & ${LOCKS - 1}::int AS "key" FROM unnest(${endpointIds as string[]}::text[]) AS id
      ORDER BY "key"
    ) keys`;
}

/** The first of a line, or in no line: `d` may be tried when its time has come. The condition of its partial index. */
export const firstOfLine = Prisma.sql`d."status" = 'PENDING' AND d."nextAttemptAt" IS NOT NULL`;

/** Gives the first of each of these lines of an endpoint its time, where it has none. After `lockLines(tx, 'rearrange')`. */
export async function wakeLines(
  tx: DbTransaction,
  endpointId: string,
  subscriptionIds: readonly (string | null)[],
  now: Date,
): Promise<void> {
  const named = [...new Set(subscriptionIds)].filter((id) => id !== null);
  if (named.length === 0) return;
  await tx.$executeRaw`
    UPDATE "Delivery" d SET "nextAttemptAt" = ${now}
    FROM unnest(${named}::uuid[]) AS line("subscriptionId")
    CROSS JOIN (VALUES (false), (true)) AS kind("replayed")
    CROSS JOIN LATERAL (
      SELECT f."id" FROM "Delivery" f
      WHERE f."endpointId" = ${endpointId}::uuid AND f."subscriptionId" = line."subscriptionId"
        AND f."replayed" = kind."replayed" AND f."status" = 'PENDING'
      ORDER BY f."sequence" LIMIT 1
    ) first
    WHERE d."id" = first."id" AND d."nextAttemptAt" IS NULL`;
}
