import type { AppContext } from '../../../../app.ts';
import { inChunks } from '../../../../async/in-chunks.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import { inBatches } from '../../../../db/in-batches.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { LINES_BATCH, lockLines, wakeLines } from './delivery-lines.ts';

/** Maximum ids in memory. */
const MAX_IDS = 50_000;

/**
 * Cancels the pending deliveries that an endpoint no longer wants, because it was changed or
 * removed. Must be called after that change is committed. Works in batches, each in its own
 * transaction, because there may be hundreds of thousands. After an error it can be called again.
 * An attempt in flight ends normally, and is not retried.
 */
export async function cancelUnwanted(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  endpointId: string,
): Promise<void> {
  await inBatches(MAX_IDS, async (size) => {
    const rows = await db.$queryRaw<{ id: string }[]>`
      SELECT d."id"
      FROM "Delivery" d
        JOIN "Event" e ON e."id" = d."eventId"
        JOIN "WebhookEndpoint" w ON w."id" = d."endpointId"
      WHERE d."endpointId" = ${endpointId}::uuid AND ${isUnwanted}
      ORDER BY d."subscriptionId", d."replayed", d."sequence" LIMIT ${size}`;
    const ids = rows.map(({ id }) => id);
    for (const batch of inChunks(ids, LINES_BATCH)) {
      await db.$transaction((tx) => cancelBatch(tx, endpointId, batch, clock.now()));
    }
    return rows.length;
  });
}

async function cancelBatch(
  tx: DbTransaction,
  endpointId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await lockLines(tx, 'rearrange', [endpointId]);
  const cancelled = await tx.$queryRaw<{ subscriptionId: string | null }[]>`
    UPDATE "Delivery" d SET "status" = 'CANCELLED', "nextAttemptAt" = NULL, "claimedUntil" = NULL
    FROM "Event" e, "WebhookEndpoint" w
    WHERE d."id" = ANY (${ids as string[]}::uuid[])
      AND e."id" = d."eventId" AND w."id" = d."endpointId" AND ${isUnwanted}
    RETURNING d."subscriptionId"`;
  const shortened = cancelled.map(({ subscriptionId }) => subscriptionId);
  await wakeLines(tx, endpointId, shortened, now);
}

const isUnwanted = Prisma.sql`d."status" = 'PENDING'
  AND (w."status" = 'DELETED' OR (cardinality(w."eventTypes") > 0 AND e."type" <> ALL (w."eventTypes")))`;
