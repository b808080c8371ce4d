import type { DbTransaction } from '../../../db.ts';
import { firstOfLine } from './lines.ts';

// A claim looks at every endpoint that has anything with a time. One that is off may stay so for months, so its lines
// lose theirs. Both ways go in the transaction that switches it, so there is no moment in which a line could be forgotten.

/** With more lines than that, an endpoint costs a claim its look at it: taking their times would hold up whoever switches it off. */
const MOST = 2000;

/** Takes the times of an endpoint's lines, when it goes off. After `lockLines`. */
export async function holdLines(tx: DbTransaction, endpointId: string): Promise<void> {
  await tx.$executeRaw`
    WITH first AS MATERIALIZED (
      SELECT d."id" FROM "Delivery" d
      WHERE ${firstOfLine} AND d."endpointId" = ${endpointId}::uuid AND d."subscriptionId" IS NOT NULL
      LIMIT ${MOST + 1}
    )
    UPDATE "Delivery" d SET "nextAttemptAt" = NULL
    FROM first WHERE d."id" = first."id" AND d."status" = 'PENDING' AND (SELECT count(*) FROM first) <= ${MOST}`;
}

/** Gives them back, when it is on again: now. After `lockLines(tx, 'rearrange')`. */
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
