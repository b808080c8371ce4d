import type { DbTransaction } from '../../../../db/db.ts';
import { firstOfLine } from './delivery-lines.ts';

// The scheduler checks every endpoint with a delivery that has `nextAttemptAt`. An endpoint may be
// disabled for months, so its lines are held: their `nextAttemptAt` is removed. Lines are held and
// released in the transaction that changes the endpoint's status, so that none is forgotten.

/**
 * Maximum lines of an endpoint that are held, because holding more would be slow. If it has more,
 * none is held, and the scheduler continues to check the endpoint.
 */
const MAX_HELD_LINES = 2000;

/** Holds the lines of an endpoint that is disabled. Must follow `lockLines`. */
export async function holdLines(tx: DbTransaction, endpointId: string): Promise<void> {
  await tx.$executeRaw`
    WITH first AS MATERIALIZED (
      SELECT d."id" FROM "Delivery" d
      WHERE ${firstOfLine} AND d."endpointId" = ${endpointId}::uuid AND d."subscriptionId" IS NOT NULL
      LIMIT ${MAX_HELD_LINES + 1}
    )
    UPDATE "Delivery" d SET "nextAttemptAt" = NULL
    FROM first WHERE d."id" = first."id" AND d."status" = 'PENDING' AND (SELECT count(*) FROM first) <= ${MAX_HELD_LINES}`;
}

/**
 * Makes the lines of an endpoint due now when it is enabled again. Must follow
 * `lockLines(tx, 'rearrange')`.
 */
export async function releaseLines(tx: DbTransaction, endpointId: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Delivery" d SET "nextAttemptAt" = ${now}
    FROM (
      SELECT DISTINCT ON ("subscriptionId", "replayed") "id" FROM "Delivery"
      WHERE "endpointId" = ${endpointId}::uuid AND "status" = 'PENDING' AND "subscriptionId" IS NOT NULL
      ORDER BY "subscriptionId", "replayed", "sequence"
    ) first
    WHERE d."id" = first."id" AND d."nextAttemptAt" IS NULL`;
}
