import type { AppContext } from '../../../app.ts';
import type { Environment, Prisma } from '../../../generated/prisma/client.ts';
import type { Traceparent } from '../../../tracing/trace.ts';
import { mostAtOnceTable } from './endpoint-health.ts';
import { firstOfLine } from './lines.ts';

/** How long a claim holds: longer than any try takes. */
const LEASE_MS = 60_000;

/** A delivery in hand, with all that one try needs to know. */
export interface Claimed {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly endpointId: string;
  /** Of this try; also tells this claim from a later one. */
  readonly attemptCount: number;
  readonly failureCount: number;
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly data: Prisma.JsonValue;
  readonly happenedAt: Date;
  /** The trace of what it tells of. */
  readonly traceparent: Traceparent;
  readonly url: string;
  readonly maxPerSecond: number | null;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly failingSince: Date | null;
  readonly slowdown: number;
  readonly pausedUntil: Date | null;
}

export interface ClaimLimits {
  /** How many can be taken. */
  readonly free: number;
  /** Ids of what this worker has in hand: not taken twice, even where a claim has run out. */
  readonly inHand: readonly string[];
  /** How many of them at which endpoint. */
  readonly busy: ReadonlyMap<string, number>;
}

/**
 * Takes deliveries that are due, and writes down that they are being tried. Any number of workers may ask.
 *
 * One statement: (1) which endpoints have anything waiting, by hopping from one to the next through the index, so that it
 * costs the same however much waits; (2) which of them are on, not paused, and have room, those that are idle first; (3) the
 * longest due of each, and none that somebody else is just taking; (4) the claim and the attempt. A claim that has run
 * out is free: its worker has died.
 */
export function claimDeliveries(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { free, inHand, busy }: ClaimLimits,
): Promise<Claimed[]> {
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  return db.$queryRaw<Claimed[]>`
    WITH RECURSIVE waiting AS (
      (SELECT d."endpointId" FROM "Delivery" d WHERE ${firstOfLine} ORDER BY d."endpointId" LIMIT 1)
      UNION ALL
      SELECT (
        SELECT d."endpointId" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" > waiting."endpointId" ORDER BY d."endpointId" LIMIT 1)
      FROM waiting WHERE waiting."endpointId" IS NOT NULL
    ),
    open AS MATERIALIZED (
      SELECT w."id", w."slowdown", w."maxPerSecond", w."pacedUntil"
      FROM waiting JOIN "WebhookEndpoint" w ON w."id" = waiting."endpointId"
      WHERE w."status" = 'ENABLED' AND (w."pausedUntil" IS NULL OR w."pausedUntil" <= ${now})
    ),
    -- A rate is for all workers together: one at a time takes from it.
    paced AS MATERIALIZED (
      SELECT w."id", floor(w."maxPerSecond" * extract(epoch FROM
        ${now}::timestamptz + greatest(interval '1 second' / w."maxPerSecond", interval '100 milliseconds')
        - greatest(w."pacedUntil", ${now}::timestamptz)))::int AS "left"
      FROM "WebhookEndpoint" w
      WHERE w."id" IN (SELECT "id" FROM open WHERE "maxPerSecond" IS NOT NULL)
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    room AS MATERIALIZED (
      SELECT open."id", coalesce(busy."count", 0) AS "busy", least(
        (${mostAtOnceTable(free)}::int[])[open."slowdown" + 1] - coalesce(busy."count", 0),
        CASE WHEN open."maxPerSecond" IS NOT NULL THEN coalesce(paced."left", 0) END) AS "left"
      FROM open LEFT JOIN paced ON paced."id" = open."id"
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS busy("id", "count")
        ON busy."id" = open."id"
    ),
    taken AS MATERIALIZED (
      SELECT due.* FROM (SELECT * FROM room WHERE "left" > 0 ORDER BY "busy", random()) room
      CROSS JOIN LATERAL (
        SELECT d."id", d."endpointId" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" = room."id" AND d."nextAttemptAt" <= ${now}
          AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= ${now}) AND d."id" <> ALL (${inHand}::uuid[])
        ORDER BY d."nextAttemptAt" LIMIT room."left" FOR UPDATE SKIP LOCKED
      ) due
      LIMIT ${free}
    ),
    pacing AS (
      UPDATE "WebhookEndpoint" w
      SET "pacedUntil" = greatest(w."pacedUntil", ${now}::timestamptz) + count * interval '1 second' / w."maxPerSecond"
      FROM (SELECT "endpointId", count(*) AS count FROM taken GROUP BY "endpointId") taken
      WHERE w."id" = taken."endpointId" AND w."maxPerSecond" IS NOT NULL
    ),
    claimed AS (
      UPDATE "Delivery" d SET "claimedUntil" = ${until}, "attemptCount" = d."attemptCount" + 1
      FROM taken WHERE d."id" = taken."id" RETURNING d.*
    ),
    begun AS (
      INSERT INTO "DeliveryAttempt" ("deliveryId", "number", "startedAt")
      SELECT "id", "attemptCount", ${now}::timestamptz FROM claimed
    )
    SELECT c."id", c."merchantId", c."environment"::text, c."endpointId", c."attemptCount", c."failureCount", c."eventId",
      e."type", e."sequence", e."data", e."createdAt" AS "happenedAt", e."traceparent",
      w."url", w."maxPerSecond", w."encryptedSecret", w."encryptedPreviousSecret", w."previousSecretUntil",
      w."failingSince", w."slowdown", w."pausedUntil"
    FROM claimed c JOIN "Event" e ON e."id" = c."eventId" JOIN "WebhookEndpoint" w ON w."id" = c."endpointId"`;
}
