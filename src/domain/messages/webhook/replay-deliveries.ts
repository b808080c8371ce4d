import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma, type WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { knownEventTypes } from '../event/known-event-types.ts';
import { assertReceives } from './assert-receives.ts';
import { newDeliveryId } from './delivery/delivery-id.ts';
import { LINES_BATCH, lockLines, wakeLines } from './delivery/delivery-lines.ts';
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts';
import { findEndpoint } from './find-endpoint.ts';

/**
 * The result of an event at an endpoint: its delivery's status, or NOT_SENT if it has no delivery,
 * because the endpoint was disabled or did not exist.
 */
export const replayResults = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'NOT_SENT'] as const;
export type ReplayResult = (typeof replayResults)[number];

const MAX_DELIVERIES = 100_000;

export interface ReplayInput {
  readonly endpointId: string;
  /** Time of the events: `from` is included, `to` is not. */
  readonly from: Date;
  readonly to: Date;
  /** Only these types; empty for all that the endpoint wants. */
  readonly eventTypes?: readonly string[] | undefined;
  /** Only events with these results; empty for FAILED and NOT_SENT. */
  readonly results?: readonly ReplayResult[] | undefined;
  /** Whether to count only. */
  readonly isDryRun: boolean;
}

/**
 * Delivers a range of past events to an endpoint again, in order per subscription. Pending
 * deliveries are not changed, and new events do not wait for replayed ones. Returns the number of
 * events. It works in batches, each in its own transaction; after an error, the same call replays
 * the rest.
 *
 * @throws BillingError not_found, param `endpointId`; or invalid_request, param `endpointId`,
 *   `eventTypes`, `to`, or `from` if there are more than 100,000 events
 */
export async function replayDeliveries(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  scope: ActingScope,
  input: ReplayInput,
): Promise<number> {
  if (!(input.from < input.to)) throw invalidRequest('to', 'to must be later than from.');
  knownEventTypes('eventTypes', input.eventTypes ?? []);
  const endpoint = await findEndpoint(ctx.db, scope, input.endpointId, 'endpointId');
  const events = await findEvents(ctx, endpoint, input);
  if (events.length > MAX_DELIVERIES) {
    throw invalidRequest('from', `The range has more than ${MAX_DELIVERIES} events: choose a shorter one.`);
  }
  if (input.isDryRun) return events.length;
  assertReceives(endpoint, 'endpointId');
  const { from, to, eventTypes, results } = input;
  const changes = newFields({ from, to, eventTypes, results, count: events.length });
  await ctx.db.$transaction((tx) =>
    recordAudit(ctx, tx, scope, { action: 'delivery.replayed', targetId: endpoint.id, changes }),
  );
  let sent = 0;
  for (const batch of inChunks(events, LINES_BATCH))
    sent += await ctx.db.$transaction((tx) => replay(ctx, tx, scope, endpoint.id, batch));
  await enqueueDeliveries(ctx, [{ endpointId: endpoint.id }]);
  return sent;
}

interface ReplayableEvent {
  readonly eventId: string;
  /** Null if the event has no delivery. */
  readonly deliveryId: string | null;
  readonly subscriptionId: string | null;
}

/** The events to replay, at most one more than the maximum, in the order of their lines. */
function findEvents(
  { db }: Pick<AppContext, 'db'>,
  endpoint: WebhookEndpoint,
  input: ReplayInput,
): Promise<ReplayableEvent[]> {
  return db.$queryRaw<ReplayableEvent[]>`
    SELECT "eventId", "deliveryId", "subscriptionId" FROM (
      (SELECT e."id" AS "eventId", d."id" AS "deliveryId", e."subscriptionId", e."sequence"
      FROM "Delivery" d JOIN "Event" e ON ${isOver(endpoint, input)} LIMIT ${MAX_DELIVERIES + 1})
      UNION ALL
      (SELECT e."id", NULL, e."subscriptionId", e."sequence"
      FROM "Event" e WHERE ${wasNotSent(endpoint, input)} LIMIT ${MAX_DELIVERIES + 1})
    ) found
    ORDER BY "subscriptionId", "sequence" LIMIT ${MAX_DELIVERIES + 1}`;
}

/** Replays a batch, except events that were resent or delivered meanwhile. */
async function replay(
  { clock }: Pick<AppContext, 'clock'>,
  tx: DbTransaction,
  scope: ActingScope,
  endpointId: string,
  batch: readonly ReplayableEvent[],
): Promise<number> {
  await lockLines(tx, 'rearrange', [endpointId]);
  assertReceives(await findEndpoint(tx, scope, endpointId, 'endpointId'), 'endpointId');
  const now = clock.now();
  const deliveryIds = batch.flatMap(({ deliveryId }) => deliveryId ?? []);
  const restarted = await tx.$executeRaw`
    UPDATE "Delivery"
    SET "status" = 'PENDING', "replayed" = true, "failureCount" = 0,
      "nextAttemptAt" = CASE WHEN "subscriptionId" IS NULL THEN ${now}::timestamptz END
    WHERE "id" = ANY (${deliveryIds}::uuid[]) AND "status" <> 'PENDING'`;
  const eventIds = batch.filter(({ deliveryId }) => deliveryId === null).map(({ eventId }) => eventId);
  const created = await tx.$executeRaw`
    INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
      "replayed", "createdAt")
    SELECT ${newDeliveryId}, e."merchantId", e."environment", e."id", ${endpointId}::uuid, e."subscriptionId",
      e."sequence", true, ${now}
    FROM "Event" e WHERE e."id" = ANY (${eventIds}::uuid[])
    ON CONFLICT ("eventId", "endpointId") DO NOTHING`;
  const lines = batch.map(({ subscriptionId }) => subscriptionId);
  await wakeLines(tx, endpointId, lines, now);
  return restarted + created;
}

function isOver({ id, eventTypes }: WebhookEndpoint, input: ReplayInput): Prisma.Sql {
  // A delivery is created after its event, so older deliveries are not read.
  return Prisma.sql`e."id" = d."eventId" AND d."endpointId" = ${id}::uuid AND d."createdAt" >= ${input.from}
    AND d."status"::text = ANY (${resultsOf(input)}::text[]) AND d."status" <> 'PENDING'
    AND ${inRange(input, eventTypes)}`;
}

function wasNotSent(
  { id, merchantId, environment, eventTypes }: WebhookEndpoint,
  input: ReplayInput,
): Prisma.Sql {
  if (!resultsOf(input).includes('NOT_SENT')) return Prisma.sql`false`;
  // Test events have no subscription and were recorded for one endpoint only.
  return Prisma.sql`e."merchantId" = ${merchantId}::uuid AND e."environment" = ${environment}::"Environment"
    AND e."relayedAt" IS NOT NULL AND e."subscriptionId" IS NOT NULL
    AND NOT EXISTS (SELECT FROM "Delivery" d WHERE d."eventId" = e."id" AND d."endpointId" = ${id}::uuid)
    AND ${inRange(input, eventTypes)}`;
}

function inRange({ from, to, eventTypes = [] }: ReplayInput, endpointTypes: readonly string[]): Prisma.Sql {
  const conditions = [eventTypes, endpointTypes]
    .filter((types) => types.length > 0)
    .map((types) => Prisma.sql`e."type" = ANY (${types as string[]}::text[])`);
  return Prisma.join(
    [Prisma.sql`e."createdAt" >= ${from} AND e."createdAt" < ${to}`, ...conditions],
    ' AND ',
  );
}

function resultsOf({ results }: ReplayInput): ReplayResult[] {
  return results?.length ? [...results] : ['FAILED', 'NOT_SENT'];
}
