import { Prisma } from '../../generated/prisma/client.ts';

/**
 * Which deliveries (`d`) may be tried at `now`: the one definition for the sweep and for the claim.
 *
 * - Its time has come and its endpoint is on.
 * - Order is held per subscription and endpoint: nothing earlier is still to be delivered there, and no earlier event is
 *   still to be relayed. A delivery that has FAILED holds up nobody.
 */
export function deliverable(now: Date): Prisma.Sql {
  return Prisma.sql`
    d."status" = 'PENDING' AND d."nextAttemptAt" <= ${now}
    AND EXISTS (SELECT FROM "WebhookEndpoint" w WHERE w."id" = d."endpointId" AND w."status" = 'ENABLED')
    AND NOT EXISTS (
      SELECT FROM "Delivery" earlier
      WHERE earlier."endpointId" = d."endpointId" AND earlier."subscriptionId" = d."subscriptionId"
        AND earlier."sequence" < d."sequence" AND earlier."status" = 'PENDING')
    AND NOT EXISTS (
      SELECT FROM "Event" e
      WHERE e."subscriptionId" = d."subscriptionId" AND e."sequence" < d."sequence" AND e."relayedAt" IS NULL)`;
}
