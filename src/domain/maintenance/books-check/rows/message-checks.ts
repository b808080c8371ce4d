import { floorOfPosition, floorOfSequence } from '../../../../db/timeline.ts';
import { Prisma } from '../../../../generated/prisma/client.ts';
import { type RowCheck, within } from './row-check.ts';

/** Younger rows may still be in work. */
const AT_WORK = Prisma.sql`interval '1 hour'`;
/** Deliveries are kept for 90 days: webhook/delivery/purge-deliveries.ts. */
const DELIVERIES_KEPT = Prisma.sql`interval '89 days'`;

/** Events and their deliveries. */
export const MESSAGE_CHECKS: readonly RowCheck[] = [
  {
    name: 'event.sequence',
    problem: 'The events of the subscription are not numbered without a gap to the newest one.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id",
        concat(e."count", ' events, highest ', e."highest", ', newest ', s."lastSequence") AS "detail"
      FROM "Subscription" s CROSS JOIN LATERAL (
        SELECT coalesce(sum(t."count"), 0) AS "count", coalesce(max(t."highest"), 0) AS "highest",
          coalesce(sum(t."highest" - t."floor"), 0) AS "numbers" FROM (
          SELECT count(*) AS "count", max(f."sequence") AS "highest", f."floor" FROM (
            SELECT e."sequence", ${floorOfSequence} AS "floor" FROM "Event" e WHERE e."subscriptionId" = s."id") AS f
          GROUP BY 3) AS t) AS e
      WHERE ${within('s', scope)} AND (e."count" <> e."numbers" OR e."highest" <> s."lastSequence")`,
  },
  {
    name: 'event.created',
    problem: 'The completed checkout has no event that its subscription began, or several.',
    // Without it nothing would tell that all events of an earlier timeline are gone.
    wrong: (scope) => Prisma.sql`
      SELECT c."id" AS "id", concat(e."count", ' events of subscription ', c."subscriptionId") AS "detail"
      FROM "CheckoutSession" c CROSS JOIN LATERAL (
        SELECT count(*) AS "count" FROM "Event" WHERE "subscriptionId" = c."subscriptionId"
          AND "type" = 'subscription.created' AND "data"->>'sessionId' = c."id") AS e
      WHERE ${within('c', scope)} AND c."status" = 'COMPLETED' AND e."count" <> 1`,
  },
  {
    name: 'event.position',
    problem: 'The positions of the events of the merchant have a gap.',
    wrong: (scope) => Prisma.sql`
      SELECT f."merchantId"::text AS "id", concat(count(*), ' events, highest ', max(f."position")) AS "detail"
      FROM (SELECT e."merchantId", e."position", ${floorOfPosition} AS "floor" FROM "Event" e
        WHERE ${within('e', scope)} AND e."position" IS NOT NULL) AS f
      GROUP BY f."merchantId", f."floor" HAVING count(*) <> max(f."position") - f."floor"`,
  },
  {
    name: 'event.waiting',
    problem: 'The event has no position and does not wait for one, or it has one and waits.',
    wrong: (scope) => Prisma.sql`
      SELECT e."id"::text AS "id", e."type" AS "detail"
      FROM "Event" e LEFT JOIN "Outbox" o ON o."eventId" = e."id"
      WHERE ${within('e', scope)} AND (o."eventId" IS NULL) <> (e."position" IS NOT NULL)`,
  },
  {
    name: 'event.payment',
    problem: 'The events of the payment say another amount or signature than its row.',
    wrong: (scope) => Prisma.sql`
      SELECT coalesce(p."id"::text, e."paymentId") AS "id",
        concat(p."paidAmount", ' ', p."signature", ' in the row, ', e."amount", ' in the events') AS "detail"
      FROM (SELECT p.* FROM "Payment" p WHERE ${within('p', scope)} AND p."status" = 'SUCCEEDED') AS p FULL JOIN (
        SELECT e."data"->>'paymentId' AS "paymentId",
          sum((e."data"->>'amount')::numeric * CASE e."type" WHEN 'subscription.payment_succeeded' THEN 1 ELSE -1 END)
            AS "amount",
          array_agg(e."data"->>'signature') FILTER (WHERE e."type" = 'subscription.payment_succeeded') AS "signatures",
          array_agg(DISTINCT e."subscriptionId") AS "subscriptions"
        FROM "Event" e WHERE ${within('e', scope)}
          AND e."type" IN ('subscription.payment_succeeded', 'subscription.payment_reversed') GROUP BY 1
      ) AS e ON e."paymentId" = p."id"::text
      WHERE coalesce(p."paidAmount", 0) <> coalesce(e."amount", 0)
        OR (p."id" IS NOT NULL AND (NOT p."signature" = ANY(e."signatures") OR e."subscriptions" <> ARRAY[p."subscriptionId"]))`,
  },
  {
    name: 'event.transition',
    problem: 'The subscription has another number of events than of such transitions.',
    wrong: (scope) => Prisma.sql`
      SELECT s."id"::text AS "id", concat(t."what", ': ', t."count", ' transitions, ', e."count", ' events') AS "detail"
      FROM "Subscription" s CROSS JOIN LATERAL (
        SELECT w."what", w."type", count(t."id") AS "count"
        FROM (VALUES ('CANCELLED', 'subscription.cancelled'), ('EXPIRED', 'subscription.expired')) AS w("what", "type")
          LEFT JOIN "SubscriptionTransition" t ON t."subscriptionId" = s."id" AND t."to"::text = w."what"
        GROUP BY 1, 2) AS t CROSS JOIN LATERAL (
        SELECT count(*) AS "count" FROM "Event" WHERE "subscriptionId" = s."id" AND "type" = t."type") AS e
      WHERE ${within('s', scope)} AND t."count" <> e."count"`,
  },
  {
    name: 'delivery.outcome',
    problem: 'The delivery has another outcome than its attempts.',
    wrong: (scope) => Prisma.sql`
      SELECT d."id"::text AS "id",
        concat(d."status", ', ', d."attemptCount", ' counted, ', a."count", ' attempts') AS "detail"
      FROM "Delivery" d CROSS JOIN LATERAL (
        SELECT count(*) AS "count", bool_or("statusCode" BETWEEN 200 AND 299) AS "received" FROM "DeliveryAttempt"
        WHERE "deliveryId" = d."id") AS a
      WHERE ${within('d', scope)} AND (a."count" <> d."attemptCount"
        OR (d."status" = 'SUCCEEDED' AND a."received" IS NOT TRUE) OR (d."status" = 'FAILED' AND d."attemptCount" = 0))`,
  },
  {
    name: 'delivery.waiting',
    problem: 'The delivery is the first of its line and has no time for its next attempt.',
    wrong: (scope) => Prisma.sql`
      SELECT d."id"::text AS "id", concat('endpoint ', d."endpointId") AS "detail"
      FROM "Delivery" d JOIN "WebhookEndpoint" w ON w."id" = d."endpointId" AND w."status" = 'ENABLED'
      WHERE ${within('d', scope)} AND d."status" = 'PENDING' AND d."nextAttemptAt" IS NULL AND d."claimedUntil" IS NULL
        AND NOT EXISTS (SELECT FROM "Delivery" b WHERE b."endpointId" = d."endpointId" AND b."status" = 'PENDING'
          AND b."subscriptionId" = d."subscriptionId" AND b."replayed" = d."replayed" AND b."sequence" < d."sequence")`,
  },
  {
    name: 'delivery.missing',
    problem: 'The event has no delivery to an endpoint that has been unchanged since before the event.',
    wrong: (scope) => Prisma.sql`
      SELECT e."id"::text AS "id", concat(e."type", ', endpoint ', w."id") AS "detail"
      FROM "WebhookEndpoint" w JOIN "Event" e ON e."merchantId" = w."merchantId" AND e."environment" = w."environment"
        AND e."createdAt" > w."createdAt" + ${AT_WORK} AND e."relayedAt" IS NOT NULL
        AND e."type" NOT LIKE 'endpoint.%' AND (w."eventTypes" = '{}' OR e."type" = ANY(w."eventTypes"))
      WHERE ${within('w', scope)} AND w."status" = 'ENABLED' AND w."disabledAt" IS NULL
        AND e."createdAt" > ${scope.now}::timestamptz - ${DELIVERIES_KEPT}
        AND NOT EXISTS (SELECT FROM "AuditEntry" a WHERE a."merchantId" = w."merchantId"
          AND a."targetId" = w."id"::text AND a."action" = 'endpoint.updated')
        AND NOT EXISTS (SELECT FROM "Delivery" d WHERE d."eventId" = e."id" AND d."endpointId" = w."id")`,
  },
];
