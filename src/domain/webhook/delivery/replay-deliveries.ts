import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma, type WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../audit/actor.ts';
import { newFields } from '../../audit/changed-fields.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { knownEventTypes } from '../../event/known-event-types.ts';
import { nudgeRelay } from '../../event/nudge-relay.ts';
import { assertReceives } from '../assert-receives.ts';
import { findEndpoint } from '../find-endpoint.ts';
import { newDeliveryId } from './delivery-id.ts';
import { inBatches } from './in-batches.ts';
import { lockLines, wakeLines } from './lines.ts';

/** What became of an event at an endpoint: its delivery's status, or none was made because the endpoint was off or not there. */
export const replayResults = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'NOT_SENT'] as const;
export type ReplayResult = (typeof replayResults)[number];

const MOST = 100_000;

export interface ReplayInput {
  readonly endpointId: string;
  /** When the events happened: from, and until just before. */
  readonly from: Date;
  readonly to: Date;
  /** Only these; none named means all that the endpoint wants. */
  readonly eventTypes?: readonly string[] | undefined;
  /** What became of them; none named means FAILED and NOT_SENT. */
  readonly results?: readonly ReplayResult[] | undefined;
  /** Only counts. */
  readonly isDryRun: boolean;
}

/**
 * Sends a range of events to an endpoint again, those of one subscription in their order. What still waits is left alone,
 * and nothing new waits for what is sent again. Answers how many they are. They go batch by batch, each a transaction of its
 * own; where that breaks off, the same call sends the rest.
 *
 * @throws BillingError not_found, param `endpointId`; invalid_request, param `endpointId`, `eventTypes`, `to`, or `from` where
 * there are more than 100,000
 */
export async function replayDeliveries(
  ctx: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'log'>,
  by: ActingScope,
  input: ReplayInput,
): Promise<number> {
  if (!(input.from < input.to)) throw invalidRequest('to', 'to must be later than from.');
  knownEventTypes('eventTypes', input.eventTypes ?? []);
  const endpoint = await findEndpoint(ctx.db, by, input.endpointId, 'endpointId');
  const found = await find(ctx, endpoint, input);
  if (found.length > MOST) {
    throw invalidRequest('from', `These are more than ${MOST} events; at most so many go at once.`);
  }
  if (input.isDryRun) return found.length;
  assertReceives(endpoint, 'endpointId');
  const { from, to, eventTypes, results } = input;
  const changes = newFields({ from, to, eventTypes, results, count: found.length });
  await ctx.db.$transaction((tx) =>
    recordAudit(ctx, tx, by, { action: 'delivery.replayed', targetId: endpoint.id, changes }),
  );
  let sent = 0;
  for (const batch of inBatches(found))
    sent += await ctx.db.$transaction((tx) => replay(ctx, tx, by, endpoint.id, batch));
  await nudgeRelay(ctx);
  return sent;
}

interface Found {
  readonly eventId: string;
  /** Null where none was made of it. */
  readonly deliveryId: string | null;
  readonly subscriptionId: string | null;
}

/** At most one more than can be sent, in the order in which they are to be: a line must grow at its end only. */
function find(
  { db }: Pick<AppContext, 'db'>,
  endpoint: WebhookEndpoint,
  input: ReplayInput,
): Promise<Found[]> {
  return db.$queryRaw<Found[]>`
    SELECT "eventId", "deliveryId", "subscriptionId" FROM (
      (SELECT e."id" AS "eventId", d."id" AS "deliveryId", e."subscriptionId", e."sequence"
      FROM "Delivery" d JOIN "Event" e ON ${isOver(endpoint, input)} LIMIT ${MOST + 1})
      UNION ALL
      (SELECT e."id", NULL, e."subscriptionId", e."sequence"
      FROM "Event" e WHERE ${wasNotSent(endpoint, input)} LIMIT ${MOST + 1})
    ) found
    ORDER BY "subscriptionId", "sequence" LIMIT ${MOST + 1}`;
}

/** What somebody else has sent again, or for the first time, meanwhile is left alone. */
async function replay(
  { clock }: Pick<AppContext, 'clock'>,
  tx: DbTransaction,
  by: ActingScope,
  endpointId: string,
  batch: readonly Found[],
): Promise<number> {
  await lockLines(tx, 'rearrange', [endpointId]);
  assertReceives(await findEndpoint(tx, by, endpointId, 'endpointId'), 'endpointId');
  const now = clock.now();
  const deliveryIds = batch.flatMap(({ deliveryId }) => deliveryId ?? []);
  const again = await tx.$executeRaw`
    UPDATE "Delivery"
    SET "status" = 'PENDING', "replayed" = true, "failureCount" = 0,
      "nextAttemptAt" = CASE WHEN "subscriptionId" IS NULL THEN ${now}::timestamptz END
    WHERE "id" = ANY (${deliveryIds}::uuid[]) AND "status" <> 'PENDING'`;
  const eventIds = batch.filter(({ deliveryId }) => deliveryId === null).map(({ eventId }) => eventId);
  const first = await tx.$executeRaw`
    INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
      "replayed", "createdAt")
    SELECT ${newDeliveryId}, e."merchantId", e."environment", e."id", ${endpointId}::uuid, e."subscriptionId",
      e."sequence", true, ${now}
    FROM "Event" e WHERE e."id" = ANY (${eventIds}::uuid[])
    ON CONFLICT ("eventId", "endpointId") DO NOTHING`;
  const lines = batch.map(({ subscriptionId }) => subscriptionId);
  await wakeLines(tx, endpointId, lines, now);
  return again + first;
}

function isOver({ id, eventTypes }: WebhookEndpoint, input: ReplayInput): Prisma.Sql {
  // A delivery is made after its event, so older ones need not be looked at.
  return Prisma.sql`e."id" = d."eventId" AND d."endpointId" = ${id}::uuid AND d."createdAt" >= ${input.from}
    AND d."status"::text = ANY (${resultsOf(input)}::text[]) AND d."status" <> 'PENDING'
    AND ${inRange(input, eventTypes)}`;
}

function wasNotSent(
  { id, merchantId, environment, eventTypes }: WebhookEndpoint,
  input: ReplayInput,
): Prisma.Sql {
  if (!resultsOf(input).includes('NOT_SENT')) return Prisma.sql`false`;
  // Test events have no subscription: they were for one endpoint only.
  return Prisma.sql`e."merchantId" = ${merchantId}::uuid AND e."environment" = ${environment}::"Environment"
    AND e."relayedAt" IS NOT NULL AND e."subscriptionId" IS NOT NULL
    AND NOT EXISTS (SELECT FROM "Delivery" d WHERE d."eventId" = e."id" AND d."endpointId" = ${id}::uuid)
    AND ${inRange(input, eventTypes)}`;
}

function inRange({ from, to, eventTypes = [] }: ReplayInput, wanted: readonly string[]): Prisma.Sql {
  const conditions = [eventTypes, wanted]
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
