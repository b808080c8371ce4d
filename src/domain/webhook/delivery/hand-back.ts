import type { AppContext } from '../../../app.ts';
import { asRows } from '../../../db-rows.ts';
import type { Tried } from './settle-deliveries.ts';

/**
 * Gives deliveries whose try was broken off by its sender back, to be sent by another worker at once. The try is kept, and
 * counts as no failure of the receiver. Nothing changes where somebody else has taken a delivery meanwhile.
 */
export async function handBack({ db }: Pick<AppContext, 'db'>, cutOff: readonly Tried[]): Promise<void> {
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
    told AS (
      UPDATE "DeliveryAttempt" a SET "error" = cut."error", "durationMs" = cut."durationMs"
      FROM cut WHERE a."deliveryId" = cut."id" AND a."number" = cut."number"
    )
    UPDATE "Delivery" d SET "claimedUntil" = NULL
    FROM cut WHERE d."id" = cut."id" AND d."status" = 'PENDING' AND d."attemptCount" = cut."number"`;
}
