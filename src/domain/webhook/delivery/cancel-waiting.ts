import type { DbTransaction } from '../../../db.ts';
import { wakeLines } from './lines.ts';

/**
 * Cancels what waits for an endpoint, except events of some types. One that is just being tried ends as it ends; it is not
 * tried again. After `lockLines(tx, 'rearrange')`.
 */
export async function cancelWaiting(
  tx: DbTransaction,
  endpointId: string,
  { exceptTypes, now }: { exceptTypes: readonly string[]; now: Date },
): Promise<void> {
  const cancelled = await tx.$executeRaw`
    UPDATE "Delivery" d SET "status" = 'CANCELLED', "nextAttemptAt" = NULL, "claimedUntil" = NULL
    FROM "Event" e
    WHERE e."id" = d."eventId" AND d."endpointId" = ${endpointId}::uuid AND d."status" = 'PENDING'
      AND e."type" <> ALL (${exceptTypes as string[]}::text[])`;
  if (cancelled > 0) await wakeLines(tx, endpointId, now);
}
