import type { AppContext } from '../../../../app.ts';
import { isFree } from '../../../../db/claim.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { firstOfLine } from './delivery-lines.ts';

/** Maximum endpoints checked per call. */
const MAX_ENDPOINTS = 5_000;
/** Lower than every id. */
export const BEFORE_FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000';

export interface DueEndpoints {
  readonly endpointIds: readonly string[];
  /** The id after which the next call continues; the lowest one if no endpoint is left. */
  readonly last: string;
}

/**
 * Endpoints with a due delivery that is not claimed. The query goes from one endpoint to the next
 * by index, so its cost does not depend on the number of deliveries, and checks at most `max`
 * endpoints.
 *
 * @param after only endpoints after this id are checked
 */
export async function dueEndpoints(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  after = BEFORE_FIRST_ENDPOINT,
  max = MAX_ENDPOINTS,
): Promise<DueEndpoints> {
  const now = clock.now();
  const rows = await db.$queryRaw<{ n: number; id: string; isDue: boolean }[]>`
    WITH RECURSIVE waiting AS (
      (SELECT 1 AS "n", d."endpointId" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" > ${after}::uuid ORDER BY d."endpointId" LIMIT 1)
      UNION ALL
      SELECT waiting."n" + 1, (
        SELECT d."endpointId" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" > waiting."endpointId" ORDER BY d."endpointId" LIMIT 1)
      FROM waiting WHERE waiting."endpointId" IS NOT NULL AND waiting."n" < ${max}::int
    ),
    seen AS (
      SELECT waiting."n", w."id", w."status" = 'ENABLED' AND (w."pausedUntil" IS NULL OR w."pausedUntil" <= ${now})
        AND EXISTS (
          SELECT FROM "Delivery" d
          WHERE ${firstOfLine} AND d."endpointId" = w."id" AND d."nextAttemptAt" <= ${now}
            AND ${isFree(clock, Prisma.sql`d."claimedUntil"`)}) AS "isDue"
      FROM waiting JOIN "WebhookEndpoint" w ON w."id" = waiting."endpointId"
    )
    SELECT "n", "id", "isDue" FROM seen WHERE "isDue" OR "n" = ${max}::int ORDER BY "n"`;
  const last = rows.at(-1);
  return {
    endpointIds: rows.filter(({ isDue }) => isDue).map(({ id }) => id),
    last: last?.n === max ? last.id : BEFORE_FIRST_ENDPOINT,
  };
}
