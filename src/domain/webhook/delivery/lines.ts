import type { DbTransaction } from '../../../db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

// A line: the deliveries of one subscription to one endpoint that are not over, by sequence. Only its first has
// `nextAttemptAt`; the others wait without one and are in nobody's way. When the first is over, whoever writes that down
// gives the next its time. What was sent again on request (`replayed`) forms a line of its own.
//
// What could go wrong: a delivery is added behind one that is just being settled, neither sees the other, and it waits for
// ever. Hence a lock: settling takes it shared, everything that adds to lines or takes out of their middle takes it alone. A
// statement after it sees all that the others have done.

/** To be called before the first statement that reads lines, in the same transaction. */
export async function lockLines(tx: DbTransaction, use: 'settle' | 'rearrange'): Promise<void> {
  if (use === 'settle') await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK})`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
}

const LOCK = Prisma.sql`hashtext('dues: webhook lines')`;

/** The first of a line, or in no line: `d` may be tried when its time has come. The condition of its partial index. */
export const firstOfLine = Prisma.sql`d."status" = 'PENDING' AND d."nextAttemptAt" IS NOT NULL`;

/** Gives the first of each line of an endpoint its time, where it has none. After `lockLines(tx, 'rearrange')`. */
export async function wakeLines(tx: DbTransaction, endpointId: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Delivery" d SET "nextAttemptAt" = ${now}
    FROM (
      SELECT DISTINCT ON ("subscriptionId", "replayed") "id" FROM "Delivery"
      WHERE "endpointId" = ${endpointId}::uuid AND "status" = 'PENDING' AND "subscriptionId" IS NOT NULL
      ORDER BY "subscriptionId", "replayed", "sequence"
    ) first
    WHERE d."id" = first."id" AND d."nextAttemptAt" IS NULL`;
}
