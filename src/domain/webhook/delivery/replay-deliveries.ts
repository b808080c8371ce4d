import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma, type WebhookEndpoint } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../audit/actor.ts';
import { newFields } from '../../audit/changed-fields.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { knownEventTypes } from '../../event/known-event-types.ts';
import { nudgeRelay } from '../../event/nudge-relay.ts';
import { assertReceives } from '../assert-receives.ts';
import { findEndpoint } from '../find-endpoint.ts';
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
 * and nothing new waits for what is sent again. Answers how many they are.
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
  const found = await count(ctx, endpoint, input);
  if (found > MOST) throw invalidRequest('from', `These are ${found} events; at most ${MOST} go at once.`);
  if (input.isDryRun) return found;
  assertReceives(endpoint, 'endpointId');
  const now = ctx.clock.now();
  const sent = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange');
    const again = await tx.$executeRaw`
      UPDATE "Delivery" d
      SET "status" = 'PENDING', "replayed" = true, "failureCount" = 0,
        "nextAttemptAt" = CASE WHEN d."subscriptionId" IS NULL THEN ${now}::timestamptz END
      FROM "Event" e WHERE ${isOver(endpoint, input)}`;
    const first = await tx.$executeRaw`
      INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence",
        "replayed", "createdAt")
      SELECT gen_random_uuid(), e."merchantId", e."environment", e."id", ${endpoint.id}::uuid, e."subscriptionId",
        e."sequence", true, ${now}
      FROM "Event" e WHERE ${wasNotSent(endpoint, input)}`;
    await wakeLines(tx, endpoint.id, now);
    const { from, to, eventTypes, results } = input;
    const changes = newFields({ from, to, eventTypes, results, count: again + first });
    await recordAudit(ctx, tx, by, { action: 'delivery.replayed', targetId: endpoint.id, changes });
    return again + first;
  });
  await nudgeRelay(ctx);
  return sent;
}

async function count(
  { db }: Pick<AppContext, 'db'>,
  endpoint: WebhookEndpoint,
  input: ReplayInput,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT (SELECT count(*) FROM "Delivery" d JOIN "Event" e ON ${isOver(endpoint, input)})
      + (SELECT count(*) FROM "Event" e WHERE ${wasNotSent(endpoint, input)}) AS "count"`;
  return Number(row?.count);
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
