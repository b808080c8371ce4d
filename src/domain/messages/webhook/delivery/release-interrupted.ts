import type { AppContext } from '../../../../app.ts';
import { recordsOf } from '../../../../db/bulk.ts';
import type { EndedAttempt } from './settle-deliveries.ts';

/**
 * Releases deliveries whose attempts this process interrupted, so that another worker sends them
 * at once. The attempts are recorded and do not count as failures. A delivery that was meanwhile
 * claimed again is not changed.
 */
export async function releaseInterrupted(
  { db }: Pick<AppContext, 'db'>,
  cutOff: readonly EndedAttempt[],
): Promise<void> {
  const rows = cutOff.map(({ claimed, result, durationMs }) => ({
    deliveryId: claimed.id,
    number: claimed.attemptCount,
    error: result.error,
    durationMs,
  }));
  await db.$executeRaw`
    WITH cut AS MATERIALIZED (
      SELECT * FROM ${recordsOf('DeliveryAttempt', rows)} AS r
    ),
    recorded AS (
      UPDATE "DeliveryAttempt" a SET "error" = cut."error", "durationMs" = cut."durationMs"
      FROM cut WHERE a."deliveryId" = cut."deliveryId" AND a."number" = cut."number"
    )
    UPDATE "Delivery" d SET "claimedUntil" = NULL
    FROM cut WHERE d."id" = cut."deliveryId" AND d."status" = 'PENDING' AND d."attemptCount" = cut."number"`;
}
