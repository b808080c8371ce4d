import { advisoryLock } from '../../../../db/advisory-locks.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { limitWaits } from './limit-waits.ts';

// A line is the pending deliveries of one subscription to one endpoint, by sequence. Only the first
// has `nextAttemptAt`; the others wait without it. When the first ends, the same statement sets the
// `nextAttemptAt` of the next. Replayed and resent deliveries (`replayed`) have a separate line.
//
// Without a lock, a delivery could be added behind one that is being settled; neither transaction
// would see the other, and the new delivery would wait forever. Settling therefore takes an
// advisory lock of the endpoint's lines in shared mode. Everything that adds deliveries, or removes
// them from the middle of lines, takes it exclusively. A statement after the lock sees all earlier
// changes.

/**
 * Maximum deliveries written in one transaction, so that an endpoint's lines are not locked for
 * long.
 */
export const LINES_BATCH = 2000;
/** Maximum locks, regardless of the number of endpoints: PostgreSQL has room for a few thousand. */
const LOCKS = 256;

/**
 * Locks the lines of endpoints. Must be called once per transaction, for all its endpoints, before
 * the first statement that reads lines. The locks are taken in a fixed order. Rows of endpoints
 * must be locked after them, never before.
 */
export async function lockLines(
  tx: DbTransaction,
  use: 'settle' | 'rearrange',
  endpointIds: readonly string[],
): Promise<void> {
  await limitWaits(tx);
  const lock = advisoryLock('deliveryLines', '"key"', use === 'settle' ? 'xact_lock_shared' : 'xact_lock');
  await tx.$executeRaw`
    SELECT ${Prisma.raw(lock)}
    FROM (
      SELECT DISTINCT hashtext(id) & ${LOCKS - 1}::int AS "key" FROM unnest(${endpointIds as string[]}::text[]) AS id
      ORDER BY "key"
    ) keys`;
}

/**
 * Whether delivery `d` is the first of its line, or has no line, so that it may be attempted when
 * it is due. It is the condition of the partial index.
 */
export const firstOfLine = Prisma.sql`d."status" = 'PENDING' AND d."nextAttemptAt" IS NOT NULL`;

/**
 * Makes the first delivery of each of these lines due now, unless it has a time. Must follow
 * `lockLines(tx, 'rearrange')`.
 */
export async function wakeLines(
  tx: DbTransaction,
  endpointId: string,
  subscriptionIds: readonly (string | null)[],
  now: Date,
): Promise<void> {
  const lineIds = [...new Set(subscriptionIds)].filter((id) => id !== null);
  if (lineIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE "Delivery" d SET "nextAttemptAt" = ${now}
    FROM unnest(${lineIds}::uuid[]) AS line("subscriptionId")
    CROSS JOIN (VALUES (false), (true)) AS kind("replayed")
    CROSS JOIN LATERAL (
      SELECT f."id" FROM "Delivery" f
      WHERE f."endpointId" = ${endpointId}::uuid AND f."subscriptionId" = line."subscriptionId"
        AND f."replayed" = kind."replayed" AND f."status" = 'PENDING'
      ORDER BY f."sequence" LIMIT 1
    ) first
    WHERE d."id" = first."id" AND d."nextAttemptAt" IS NULL`;
}
