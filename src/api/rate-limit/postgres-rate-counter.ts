import type { AppContext } from '../../app.ts';
import { type PreparedStatement, runPrepared } from '../../db/db.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { CallerQueues, type CountRequest, type CountStore } from './caller-queues.ts';
import type { Counted, RateCounter } from './rate-limit.ts';

const FORGET_EVERY_MS = 60_000;

interface Row {
  readonly key: string;
  readonly used: number;
  /** Unix milliseconds: a bigint as text. */
  readonly at: string;
  readonly oldestAt: string;
}

// The time of the database, which all processes share.
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Counts requests in our database: one row per caller with the times of its counted requests,
 * oldest first. Requests of one caller lock its row, and the time is read under the lock.
 */
export function createPostgresRateCounter({ db, log }: Pick<AppContext, 'db' | 'log'>): RateCounter {
  const forget = () =>
    db.$executeRaw(Prisma.sql`
      DELETE FROM "RateWindow" WHERE "key" IN (
        SELECT "key" FROM "RateWindow" WHERE "until" < ${Prisma.raw(NOW_MS)} FOR UPDATE SKIP LOCKED)`);
  const timer = setInterval(() => {
    forget().catch((err) => log.warn({ err }, 'expired request counts not deleted'));
  }, FORGET_EVERY_MS).unref();
  const storeOf = (db: AppContext['db']): CountStore => ({
    takeAll: (requests) => takeAll(db, requests),
    beside: storeOf,
    close: async () => clearInterval(timer),
  });
  return new CallerQueues(storeOf(db));
}

async function takeAll(db: AppContext['db'], requests: readonly CountRequest[]): Promise<Counted[]> {
  const taken = await take(
    db,
    requests.filter(({ count, limit }) => count <= limit),
  );
  const refused = requests.filter(({ key }) => !taken.has(key));
  const windows = refused.length > 0 ? await readWindows(db, refused) : taken;
  return requests.map(({ key }) => countedOf(taken.has(key), (taken.get(key) ?? windows.get(key)) as Row));
}

function countedOf(allowed: boolean, { used, at, oldestAt }: Row): Counted {
  return { allowed, used, at: Number(at), oldestAt: Number(oldestAt) };
}

/** Counts the requests that fit and returns their rows. */
async function take(
  db: AppContext['db'],
  requests: readonly CountRequest[],
): Promise<ReadonlyMap<string, Row>> {
  if (requests.length === 0) return new Map();
  const rows = await runPrepared<Row>(db, TAKE, [
    requests.map(({ key }) => key),
    requests.map(({ count }) => count),
    requests.map(({ windowMs }) => windowMs),
    requests.map(({ limit }) => limit),
  ]);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Reads the state of the windows without counting. */
async function readWindows(
  db: AppContext['db'],
  requests: readonly CountRequest[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await runPrepared<Row>(db, READ_WINDOWS, [
    requests.map(({ key }) => key),
    requests.map(({ windowMs }) => windowMs),
  ]);
  return new Map(rows.map((row) => [row.key, row]));
}

// Rows are locked in key order, so that two processes cannot deadlock.
const TAKE: PreparedStatement = {
  name: 'rate.take',
  text: `
    WITH asked AS (
      SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[]) AS a("key", "count", "window", "limit"))
    INSERT INTO "RateWindow" AS held ("key", "times", "until")
    SELECT "key", array_fill(now.at, ARRAY["count"]), now.at + "window"
    FROM asked CROSS JOIN LATERAL (SELECT ${NOW_MS} + 0 * "count" AS at) now ORDER BY "key"
    ON CONFLICT ("key") DO UPDATE SET ("times", "until") = (
      SELECT held."times"[width_bucket(now.at - "window" - 1, held."times") + 1 :]
        || array_fill(now.at, ARRAY["count"]), now.at + "window"
      -- A clock that is set back must not make the times unordered.
      FROM asked CROSS JOIN LATERAL (
        SELECT greatest(${NOW_MS}, held."times"[cardinality(held."times")]) AS at) now
      WHERE asked."key" = EXCLUDED."key")
    WHERE (SELECT cardinality(held."times") - width_bucket(${NOW_MS} - "window" - 1, held."times") + "count" <= "limit"
      FROM asked WHERE asked."key" = EXCLUDED."key")
    RETURNING "key", cardinality("times") AS used, "times"[cardinality("times")] AS at, "times"[1] AS "oldestAt"`,
};

const READ_WINDOWS: PreparedStatement = {
  name: 'rate.look',
  text: `
    SELECT asked."key", coalesce(cardinality(kept.times), 0) AS used, now.at,
      coalesce(kept.times[1], now.at) AS "oldestAt"
    FROM unnest($1::text[], $2::int[]) AS asked("key", "window")
    CROSS JOIN (SELECT ${NOW_MS} AS at) now LEFT JOIN "RateWindow" held ON held."key" = asked."key"
    CROSS JOIN LATERAL (
      SELECT held."times"[width_bucket(now.at - asked."window" - 1, held."times") + 1 :] AS times) kept`,
};
