import type { AppContext } from '../app.ts';
import { type PreparedStatement, runPrepared } from '../db.ts';
import { gathered } from '../gathered.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Counted, RateCounter } from './rate-limit.ts';

const FORGET_EVERY_MS = 60_000;

interface Row {
  readonly used: number;
  /** Bigints, as text. */
  readonly at: string;
  readonly oldestAt: string;
}

// The database's clock, which all processes share.
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Some requests of one caller, for which there must be room in its window. */
interface Ask {
  readonly key: string;
  readonly count: number;
  readonly windowMs: number;
  readonly limit: number;
}

/**
 * Counts in our own database: one row a caller, with the times of the requests that count, oldest first. Callers of one row take
 * turns at it, and the time is read once it is their turn. What comes at once is counted in one statement.
 */
export function createPostgresRateCounter({ db, log }: Pick<AppContext, 'db' | 'log'>): RateCounter {
  const forget = () =>
    db.$executeRaw(Prisma.sql`
      DELETE FROM "RateWindow" WHERE "key" IN (
        SELECT "key" FROM "RateWindow" WHERE "until" < ${Prisma.raw(NOW_MS)} FOR UPDATE SKIP LOCKED)`);
  const timer = setInterval(() => {
    forget().catch((err) => log.warn({ err }, 'old counts of requests were not forgotten'));
  }, FORGET_EVERY_MS).unref();
  const takeTogether = gathered((asked: readonly Ask[]) => takeAll(db, asked));
  return {
    async take({ name, limit, windowMs }, caller, count): Promise<Counted> {
      const key = `${name}/${caller}`;
      for (;;) {
        const taken = count > limit ? undefined : await takeTogether({ key, count, windowMs, limit });
        const [row] = taken ? [taken] : await runPrepared<Row>(db, LOOK, [key, windowMs]);
        const { used, at, oldestAt } = row as Row;
        // Room that came between the two is there to be taken.
        if (!taken && used + count <= limit) continue;
        return { allowed: taken !== undefined, used, at: Number(at), oldestAt: Number(oldestAt) };
      }
    },
    close: async () => clearInterval(timer),
  };
}

/** In the order in which they are asked; undefined where a window has no room for as many. A statement changes a row once. */
async function takeAll(db: AppContext['db'], asked: readonly Ask[]): Promise<(Row | undefined)[]> {
  const taken: (Row | undefined)[] = [];
  let left = [...asked.entries()];
  while (left.length > 0) {
    const now = new Map<string, [number, Ask]>();
    for (const entry of left) if (!now.has(entry[1].key)) now.set(entry[1].key, entry);
    const rows = await takeEach(
      db,
      [...now.values()].map(([, ask]) => ask),
    );
    for (const [key, [index]] of now) taken[index] = rows.get(key);
    left = left.filter(([index, { key }]) => now.get(key)?.[0] !== index);
  }
  return taken;
}

async function takeEach(db: AppContext['db'], asked: readonly Ask[]): Promise<Map<string, Row>> {
  const rows = await runPrepared<Row & { key: string }>(db, TAKE, [
    asked.map(({ key }) => key),
    asked.map(({ count }) => count),
    asked.map(({ windowMs }) => windowMs),
    asked.map(({ limit }) => limit),
  ]);
  return new Map(rows.map((row) => [row.key, row]));
}

// Rows are locked in one order, so that two processes do not wait for each other.
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

const LOOK: PreparedStatement = {
  name: 'rate.look',
  text: `
    SELECT coalesce(cardinality(kept.times), 0) AS used, now.at, coalesce(kept.times[1], now.at) AS "oldestAt"
    FROM (SELECT ${NOW_MS} AS at) now LEFT JOIN "RateWindow" held ON held."key" = $1
    CROSS JOIN LATERAL (
      SELECT held."times"[width_bucket(now.at - $2::int - 1, held."times") + 1 :] AS times) kept`,
};
