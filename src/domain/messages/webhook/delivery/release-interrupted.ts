import type { AppContext } from '../../../../app.ts';
import { asRows } from '../../../../db/as-rows.ts';
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
    id: claimed.id,
    number: claimed.attemptCount,
    error: result.error,
    durationMs,
  }));
  await db.$executeRaw`
    WITH cut AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${asRows(rows)}::jsonb)
        AS cut("id" uuid, "number" int, "error" text, "durationMs" int)
    ),
    recorded AS (
      UPDATE "DeliveryAttempt" a SET "error" = cut."error", "durationMs" = cut."durationMs"
      FROM cut WHERE a."deliveryId" = cut."id" AND a."number" = cut."number"
    )
    UPDATE "Delivery" d SET "claimedUntil" = NULL
    FROM cut WHERE d."id" = cut."id" AND d."status" = 'PENDING' AND d."attemptCount" = cut."number"`;
}
