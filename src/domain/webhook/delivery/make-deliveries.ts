import type { DbTransaction } from '../../../db.ts';
import { newDeliveryId } from './delivery-id.ts';
import { lockLines } from './lines.ts';

/**
 * Writes one delivery of each event for every endpoint that is on and wants it, at the end of its line. The events of a
 * subscription must come in the order of their sequence, from call to call. One that has a delivery already was made for
 * that endpoint alone (`send-test-event.ts`).
 */
export async function makeDeliveries(
  tx: DbTransaction,
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  const receivers = await tx.$queryRaw<{ id: string }[]>`
    SELECT w."id" FROM "WebhookEndpoint" w
    WHERE w."status" = 'ENABLED' AND (w."merchantId", w."environment") IN (
      SELECT "merchantId", "environment" FROM "Event" WHERE "id" = ANY (${eventIds as string[]}::uuid[]))`;
  if (receivers.length === 0) return;
  const endpointIds = receivers.map(({ id }) => id);
  await lockLines(tx, 'rearrange', endpointIds);
  await tx.$executeRaw`
    INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
      "nextAttemptAt", "createdAt")
    SELECT ${newDeliveryId}, e."merchantId", e."environment", e."id", w."id", e."subscriptionId", e."sequence",
      CASE WHEN e."subscriptionId" IS NULL OR (
        e."sequence" = min(e."sequence") OVER (PARTITION BY w."id", e."subscriptionId") AND NOT EXISTS (
          SELECT FROM "Delivery" earlier
          WHERE earlier."endpointId" = w."id" AND earlier."subscriptionId" = e."subscriptionId"
            AND NOT earlier."replayed" AND earlier."status" = 'PENDING')
      ) THEN ${now}::timestamptz END,
      ${now}
    FROM "Event" e
    JOIN "WebhookEndpoint" w ON w."merchantId" = e."merchantId" AND w."environment" = e."environment"
    WHERE e."id" = ANY (${eventIds as string[]}::uuid[]) AND w."id" = ANY (${endpointIds}::uuid[])
      AND w."status" = 'ENABLED' AND (cardinality(w."eventTypes") = 0 OR e."type" = ANY (w."eventTypes"))
      AND NOT EXISTS (SELECT FROM "Delivery" made WHERE made."eventId" = e."id")`;
}
