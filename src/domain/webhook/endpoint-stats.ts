import type { DbTransaction } from '../../db/db.ts';
import { invalidRequest } from '../../errors.ts';
import { Prisma, type WebhookEndpoint } from '../../generated/prisma/client.ts';

const MAX_HOURS = 168;
/** Newest deliveries that are looked at. */
const MAX_DELIVERIES = 10_000;

/** How an endpoint did. */
export interface EndpointStats {
  readonly delivered: number;
  readonly failed: number;
  /** Milliseconds of half, and of 95 of 100, attempts at most; null without an attempt. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/**
 * The deliveries of an endpoint that were created in the last hours, at most the newest 10,000.
 *
 * @throws BillingError invalid_request, param `hours`
 */
export async function endpointStats(
  db: Pick<DbTransaction, '$queryRaw'>,
  { id }: Pick<WebhookEndpoint, 'id'>,
  hours: number,
  now: Date,
): Promise<EndpointStats> {
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS) {
    throw invalidRequest('hours', `hours must be a whole number from 1 to ${MAX_HOURS}.`);
  }
  const from = new Date(now.getTime() - hours * 3_600_000);
  const [stats] = await db.$queryRaw<EndpointStats[]>(Prisma.sql`
    WITH "some" AS MATERIALIZED (
      SELECT "id", "status" FROM "Delivery" WHERE "endpointId" = ${id}::uuid AND "createdAt" >= ${from}
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${MAX_DELIVERIES}
    ), "took" AS (
      SELECT percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY a."durationMs") AS "ms"
      FROM "some" CROSS JOIN LATERAL (
        -- OFFSET 0 has them found by index: the planner takes the LIMIT above for the number of rows.
        SELECT "durationMs" FROM "DeliveryAttempt"
        WHERE "deliveryId" = "some"."id" AND "durationMs" IS NOT NULL OFFSET 0
      ) a
    )
    SELECT count(*) FILTER (WHERE "status" = 'SUCCEEDED')::int AS "delivered",
      count(*) FILTER (WHERE "status" = 'FAILED')::int AS "failed",
      (SELECT "ms"[1] FROM "took") AS "p50Ms", (SELECT "ms"[2] FROM "took") AS "p95Ms"
    FROM "some"`);
  return stats ?? { delivered: 0, failed: 0, p50Ms: null, p95Ms: null };
}
