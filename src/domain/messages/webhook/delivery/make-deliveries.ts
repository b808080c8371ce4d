import { recordsOf } from '../../../../db/bulk.ts';
import type { DbTransaction } from '../../../../db/db.ts';
import type { NewEvent } from '../../event/take-new-events.ts';
import { newDeliveryId } from './delivery-id.ts';
import { lockLines } from './delivery-lines.ts';
import type { DeliveryJob } from './enqueue-deliveries.ts';

/**
 * Adds a delivery of each event for every enabled endpoint that wants it, at the end of its line.
 * The events of a subscription must be passed in the order of their sequence. An event that already
 * has a delivery was recorded for one endpoint only (`send-test-event.ts`). Returns the endpoints
 * with a due delivery, and the remaining time of their pause.
 *
 * `OFFSET 0` makes PostgreSQL look up each line by index; otherwise it may read all pending
 * deliveries.
 */
export async function makeDeliveries(
  tx: DbTransaction,
  events: readonly NewEvent[],
  now: Date,
): Promise<DeliveryJob[]> {
  const scopes = Map.groupBy(events, ({ merchantId, environment }) => `${merchantId}/${environment}`);
  const [merchantIds, environments] = [
    [...scopes.values()].map(([first]) => first?.merchantId),
    [...scopes.values()].map(([first]) => first?.environment),
  ];
  const endpoints = await tx.$queryRaw<{ id: string }[]>`
    SELECT w."id" FROM unnest(${merchantIds}::uuid[], ${environments}::"Environment"[])
      AS scope("merchantId", "environment")
    JOIN "WebhookEndpoint" w USING ("merchantId", "environment")
    WHERE w."status" = 'ENABLED'`;
  if (endpoints.length === 0) return [];
  const endpointIds = endpoints.map(({ id }) => id);
  await lockLines(tx, 'rearrange', endpointIds);
  const made = await tx.$queryRaw<EndpointRow[]>`
    WITH made AS (
      INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
        "nextAttemptAt", "createdAt")
      SELECT ${newDeliveryId}, e."merchantId", e."environment", e."id", w."id", e."subscriptionId", e."sequence",
        CASE WHEN e."subscriptionId" IS NULL OR (
          e."sequence" = min(e."sequence") OVER (PARTITION BY w."id", e."subscriptionId") AND NOT EXISTS (
            SELECT FROM "Delivery" earlier
            WHERE earlier."endpointId" = w."id" AND earlier."subscriptionId" = e."subscriptionId"
              AND NOT earlier."replayed" AND earlier."status" = 'PENDING' OFFSET 0)
        ) THEN ${now}::timestamptz END,
        ${now}
      FROM ${recordsOf('Event', events)} AS e
      JOIN "WebhookEndpoint" w ON w."merchantId" = e."merchantId" AND w."environment" = e."environment"
      WHERE w."id" = ANY (${endpointIds}::uuid[])
        AND w."status" = 'ENABLED' AND (cardinality(w."eventTypes") = 0 OR e."type" = ANY (w."eventTypes"))
        AND NOT EXISTS (SELECT FROM "Delivery" made WHERE made."eventId" = e."id" OFFSET 0)
      RETURNING "endpointId", "nextAttemptAt"
    )
    SELECT made."endpointId", w."pausedUntil"
    FROM (SELECT DISTINCT "endpointId" FROM made WHERE "nextAttemptAt" IS NOT NULL) AS made
    JOIN "WebhookEndpoint" w ON w."id" = made."endpointId"`;
  return made.map(({ endpointId, pausedUntil }) => ({
    endpointId,
    delayMs: pausedUntil ? Math.max(0, pausedUntil.getTime() - now.getTime()) : 0,
  }));
}

interface EndpointRow {
  readonly endpointId: string;
  readonly pausedUntil: Date | null;
}
