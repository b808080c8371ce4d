import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import { mayBeginTimeline, positionFloor } from '../../../db/timeline.ts';
import { type Event, Prisma } from '../../../generated/prisma/client.ts';
import type { OutboxEvent } from './read-outbox.ts';

export type NewEvent = Pick<
  Event,
  'id' | 'merchantId' | 'environment' | 'type' | 'subscriptionId' | 'sequence'
>;

/**
 * Makes later statements of the transaction find their few rows by index. The statistics of tables
 * that fill and empty within minutes are often outdated, and PostgreSQL would scan the whole
 * backlog for each batch.
 */
export async function preferIndexes(tx: DbTransaction): Promise<void> {
  await tx.$executeRaw`
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`;
}

/**
 * Takes events out of the outbox, marks them as relayed and gives each its position in its
 * merchant's stream. The caller must have called `lockRelay` in the same transaction before reading
 * the outbox.
 *
 * 1. Only one transaction at a time gives positions to the events of a merchant. So positions
 *    become visible in order and without a gap, and no reader misses one.
 * 2. The outbox is in the order in which transactions began, and the first to begin may be the last
 *    to record its event. So a batch has the first events of the outbox, and also all events of the
 *    same subscriptions with lower sequences.
 * 3. Older events get lower positions. Within a subscription the sequence decides: an event that is
 *    dated before its predecessor counts as of the same time. The predecessor is always visible
 *    here, because recording locks the row of the subscription.
 *
 * Events already relayed by a release without an outbox are only removed.
 *
 * `LATERAL` with `OFFSET 0` fixes the join order, so that rows are looked up one by one by index.
 * With statistics of an empty outbox PostgreSQL would otherwise scan all of it for each batch.
 * `ctid` is safe here: outbox rows are never updated, and the lock keeps others from removing them.
 */
export function takeNewEvents(
  tx: DbTransaction,
  now: Date,
  waiting: readonly OutboxEvent[],
): Promise<NewEvent[]> {
  const lines = linesOf(waiting);
  return tx.$queryRaw<NewEvent[]>`${PREPARED}
    WITH line AS MATERIALIZED (
      SELECT * FROM unnest(${lines.map(({ subscriptionId }) => subscriptionId)}::uuid[],
        ${lines.map(({ first }) => first)}::int[], ${lines.map(({ last }) => last)}::int[]
      ) AS line("subscriptionId", "first", "last")
    ), batch AS MATERIALIZED (
      SELECT "xid", "eventId" FROM unnest(
        ${waiting.map(({ xid }) => xid)}::bigint[], ${waiting.map(({ eventId }) => eventId)}::uuid[]
      ) AS named("xid", "eventId")
      UNION
      SELECT o."xid", o."eventId" FROM line
      CROSS JOIN LATERAL (
        SELECT "xid", "eventId" FROM "Outbox" WHERE "subscriptionId" = line."subscriptionId"
          AND "sequence" > line."first" AND "sequence" < line."last" OFFSET 0
      ) o
      UNION
      SELECT o."xid", o."eventId" FROM line
      CROSS JOIN LATERAL (
        SELECT FROM (SELECT 1) AS one WHERE ${mayBeginTimeline(Prisma.sql`line."first"`)} OR EXISTS (
          SELECT FROM "Outbox" WHERE "subscriptionId" = line."subscriptionId" AND "sequence" = line."first" - 1)
        OFFSET 0
      ) AS before
      CROSS JOIN LATERAL (
        SELECT "xid", "eventId" FROM "Outbox"
        WHERE "subscriptionId" = line."subscriptionId" AND "sequence" < line."first" OFFSET 0
      ) o
    ), gone AS (
      DELETE FROM "Outbox" WHERE "ctid" = ANY (ARRAY(
        SELECT o."ctid" FROM batch CROSS JOIN LATERAL (
          SELECT "ctid" FROM "Outbox" WHERE "xid" = batch."xid" AND "eventId" = batch."eventId" OFFSET 0) o))
    ), aged AS MATERIALIZED (
      SELECT e."id", e."merchantId", e."environment", e."sequence",
        max(e."createdAt") OVER (PARTITION BY coalesce(e."subscriptionId", e."id") ORDER BY e."sequence") AS "age"
      FROM (SELECT DISTINCT "eventId" FROM batch) batch CROSS JOIN LATERAL (
        SELECT * FROM "Event" WHERE "id" = batch."eventId" AND "relayedAt" IS NULL OFFSET 0) e
    ), ends AS MATERIALIZED (
      SELECT s."merchantId", s."environment", greatest(${positionFloor(Prisma.sql`s."environment"`)}, (
        SELECT max(e."position") FROM "Event" e
        WHERE e."merchantId" = s."merchantId" AND e."environment" = s."environment")) AS "last"
      FROM (SELECT DISTINCT "merchantId", "environment" FROM aged) s
    ), numbered AS MATERIALIZED (
      SELECT aged."id", ends."last" + row_number() OVER (
        PARTITION BY "merchantId", "environment" ORDER BY "age", "sequence" NULLS FIRST, "id") AS "position"
      FROM aged JOIN ends USING ("merchantId", "environment")
    )
    UPDATE "Event" e SET "relayedAt" = ${now}, "position" = numbered."position"
    FROM numbered WHERE e."id" = numbered."id"
    RETURNING e."id", e."merchantId", e."environment", e."type", e."subscriptionId", e."sequence"`;
}

/**
 * The first and last sequence of each subscription among some events. The waiting events of a
 * subscription have no gap but where a timeline begins: elsewhere, if the one before the first does
 * not wait, none before it does.
 */
function linesOf(waiting: readonly OutboxEvent[]) {
  const lines = new Map<string, { subscriptionId: string; first: number; last: number }>();
  for (const { subscriptionId, sequence } of waiting) {
    if (subscriptionId === null || sequence === null) continue;
    const line = lines.get(subscriptionId) ?? { subscriptionId, first: sequence, last: sequence };
    line.first = Math.min(line.first, sequence);
    line.last = Math.max(line.last, sequence);
    lines.set(subscriptionId, line);
  }
  return [...lines.values()];
}
