import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma, type WebhookEndpoint } from '../../../generated/prisma/client.ts';

const MAX_HOURS = 168;
/** Maximum deliveries that are counted; the newest ones are. */
const MAX_DELIVERIES = 10_000;

/** The number of an endpoint's deliveries by outcome, and the times to their responses. */
export interface EndpointStats {
  readonly delivered: number;
  readonly failed: number;
  /** Those that still have an attempt before them, the first or another. */
  readonly pending: number;
  /** Median and 95th percentile of the times to a response in milliseconds; null without one. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/**
 * The statistics of an endpoint's deliveries that were created in the last `hours`, at most of the
 * newest 10,000.
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
        -- OFFSET 0 makes PostgreSQL look them up by index: it assumes as many rows as the LIMIT above.
        SELECT "durationMs" FROM "DeliveryAttempt"
        WHERE "deliveryId" = "some"."id" AND "statusCode" IS NOT NULL OFFSET 0
      ) a
    )
    SELECT count(*) FILTER (WHERE "status" = 'SUCCEEDED')::int AS "delivered",
      count(*) FILTER (WHERE "status" = 'FAILED')::int AS "failed",
      count(*) FILTER (WHERE "status" = 'PENDING')::int AS "pending",
      (SELECT "ms"[1] FROM "took") AS "p50Ms", (SELECT "ms"[2] FROM "took") AS "p95Ms"
    FROM "some"`);
  return stats ?? { delivered: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null };
}
