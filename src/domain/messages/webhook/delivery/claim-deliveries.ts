import type { AppContext } from '../../../../app.ts';
import { claimEnd, claimTime, isFree } from '../../../../db/claim.ts';
import { type Environment, Prisma } from '../../../../generated/prisma/client.ts';
import type { Traceparent } from '../../../../observability/tracing/trace.ts';
import { CONCURRENCY, shareOf } from './concurrency.ts';
import { firstOfLine } from './delivery-lines.ts';
import { maxInFlight } from './endpoint-health.ts';
import { PACE_AHEAD } from './pace.ts';

/** The time of a claim: longer than any delivery attempt takes. */
const CLAIM_SECONDS = 60;

/** A claimed delivery with all data for one attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly endpointId: string;
  /** The number of this attempt, which also distinguishes this claim from later ones. */
  readonly attemptCount: number;
  readonly failureCount: number;
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number | null;
  readonly data: Prisma.JsonValue;
  readonly happenedAt: Date;
  /** The trace of the event's cause. */
  readonly traceparent: Traceparent;
  readonly url: string;
  readonly maxPerSecond: number | null;
  /** Maximum attempts in flight at its endpoint: of all workers, and of these visits. */
  readonly concurrency: number;
  readonly share: number;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly failingSince: Date | null;
  readonly slowdown: number;
  readonly pausedUntil: Date | null;
}

export interface ClaimLimits {
  /** The endpoints whose deliveries are claimed, and the numbers of their visits in this worker. */
  readonly visits: ReadonlyMap<string, ReadonlySet<number>>;
  /** Maximum deliveries to claim. */
  readonly free: number;
  /**
   * Deliveries in flight in this worker, which are not claimed again even if a claim has expired.
   */
  readonly inFlight: readonly string[];
  /** Their number per endpoint. */
  readonly busy: ReadonlyMap<string, number>;
  /** Their number per merchant. */
  readonly busyMerchants: ReadonlyMap<string, number>;
}

/**
 * Claims due deliveries of some endpoints and adds an attempt to each. Any number of workers may
 * call it at the same time.
 *
 * One statement does three things:
 *
 * 1. It selects the endpoints that are enabled, not paused, and have room, the least busy first. A
 *    visit has room for its share of the endpoint's concurrency.
 *    Each merchant gets the same share of the free capacity, however many endpoints it has.
 * 2. It selects the longest due deliveries of each, and skips rows that another worker is claiming.
 * 3. It writes the claims and the attempts.
 *
 * A delivery with an expired claim is due, because its worker has crashed.
 */
export function claimDeliveries(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { visits, free, inFlight, busy, busyMerchants }: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const time = claimTime(clock);
  const share = shareOf(Prisma.sql`asked."visit"`);
  const asked = [...visits].flatMap(([id, numbers]) => [...numbers].map((number) => ({ id, number })));
  return db.$queryRaw<ClaimedDelivery[]>`
    WITH open AS MATERIALIZED (
      SELECT w."id", w."merchantId", w."slowdown", w."maxPerSecond", ${CONCURRENCY} AS "concurrency",
        sum(${share})::int AS "share"
      FROM unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ number }) => number)}::int[])
        AS asked("endpointId", "visit")
      JOIN "WebhookEndpoint" w ON w."id" = asked."endpointId"
      WHERE w."status" = 'ENABLED' AND (w."pausedUntil" IS NULL OR w."pausedUntil" <= ${now}) AND ${share} > 0
      GROUP BY w."id"
    ),
    -- A rate limit holds for all workers together, so one worker at a time uses it.
    paced AS MATERIALIZED (
      -- 0.001 is added because intervals have whole microseconds: three thirds are less than one
      -- second.
      SELECT w."id", floor(w."maxPerSecond" * extract(epoch FROM
        ${time} + ${PACE_AHEAD} - greatest(w."pacedUntil", ${time})) + 0.001)::int AS "left"
      FROM "WebhookEndpoint" w
      WHERE w."id" IN (SELECT "id" FROM open WHERE "maxPerSecond" IS NOT NULL)
      FOR NO KEY UPDATE SKIP LOCKED
    ),
    -- The capacity that these merchants use or may take is divided by their number plus one. Each
    -- gets one part, and one part stays free for other merchants. A rest goes to some of them.
    share AS MATERIALIZED (
      SELECT "merchantId", "endpoints",
        greatest(0, "each" + (row_number() OVER (ORDER BY "busy" > "each" DESC, random()) <= "rest")::int - "busy") AS "left"
      FROM (
        SELECT *, "usable" / "merchants" AS "each", "usable" % "merchants" AS "rest" FROM (
          SELECT *, count(*) OVER () AS "merchants",
            (${free}::int + sum("busy") OVER ()) * count(*) OVER () / (count(*) OVER () + 1) AS "usable"
          FROM (
            SELECT open."merchantId", coalesce(max(busy."count"), 0) AS "busy", count(*) AS "endpoints"
            FROM open LEFT JOIN unnest(${[...busyMerchants.keys()]}::uuid[], ${[...busyMerchants.values()]}::int[])
              AS busy("id", "count") ON busy."id" = open."merchantId"
            GROUP BY open."merchantId"
          ) merchant
        ) counted
      ) divided
    ),
    -- A merchant's share is divided evenly among its endpoints, idle ones first.
    ranked AS MATERIALIZED (
      SELECT open.*, coalesce(busy."count", 0) AS "busy", row_number() OVER (
        PARTITION BY open."merchantId" ORDER BY coalesce(busy."count", 0), random()) AS "rank"
      FROM open LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS busy("id", "count")
        ON busy."id" = open."id"
    ),
    room AS MATERIALIZED (
      SELECT ranked."id", ranked."busy", least(
        ranked."share" - ranked."busy",
        CASE WHEN ranked."slowdown" = 0 THEN ${maxInFlight(false, free)}::int ELSE ${maxInFlight(true, free)}::int END
          - ranked."busy",
        share."left" / share."endpoints" + (ranked."rank" <= share."left" % share."endpoints")::int,
        CASE WHEN ranked."maxPerSecond" IS NOT NULL THEN coalesce(paced."left", 0) END) AS "left"
      FROM ranked JOIN share ON share."merchantId" = ranked."merchantId" LEFT JOIN paced ON paced."id" = ranked."id"
    ),
    taken AS MATERIALIZED (
      SELECT due.* FROM (SELECT * FROM room WHERE "left" > 0 ORDER BY "busy", random()) room
      CROSS JOIN LATERAL (
        SELECT d."id", d."endpointId" FROM "Delivery" d
        WHERE ${firstOfLine} AND d."endpointId" = room."id" AND d."nextAttemptAt" <= ${now}
          AND ${isFree(clock, Prisma.sql`d."claimedUntil"`)} AND d."id" <> ALL (${inFlight}::uuid[])
        ORDER BY d."nextAttemptAt" LIMIT room."left" FOR UPDATE SKIP LOCKED
      ) due
      LIMIT ${free}
    ),
    pacing AS (
      UPDATE "WebhookEndpoint" w
      SET "pacedUntil" = greatest(w."pacedUntil", ${time}) + count * interval '1 second' / w."maxPerSecond"
      FROM (SELECT "endpointId", count(*) AS count FROM taken GROUP BY "endpointId") taken
      WHERE w."id" = taken."endpointId" AND w."maxPerSecond" IS NOT NULL
    ),
    claimed AS (
      UPDATE "Delivery" d SET "claimedUntil" = ${claimEnd(clock, CLAIM_SECONDS)}, "attemptCount" = d."attemptCount" + 1
      FROM taken WHERE d."id" = taken."id" RETURNING d.*
    ),
    begun AS (
      INSERT INTO "DeliveryAttempt" ("deliveryId", "number", "startedAt")
      SELECT "id", "attemptCount", ${now}::timestamptz FROM claimed
    )
    SELECT c."id", c."merchantId", c."environment"::text, c."endpointId", c."attemptCount", c."failureCount", c."eventId",
      e."type", e."sequence", e."data", e."createdAt" AS "happenedAt", e."traceparent",
      w."url", w."maxPerSecond", w."encryptedSecret", w."encryptedPreviousSecret", w."previousSecretUntil",
      w."failingSince", w."slowdown", w."pausedUntil", open."concurrency", open."share"
    FROM claimed c JOIN "Event" e ON e."id" = c."eventId" JOIN "WebhookEndpoint" w ON w."id" = c."endpointId"
    JOIN open ON open."id" = c."endpointId"`;
}
