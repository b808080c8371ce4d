import type { AppContext } from '../app.ts';
import { runPrepared } from '../db.ts';
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

/**
 * Counts in our own database: one row a caller, with the times of the requests that count, oldest first. Callers of one row take
 * turns at it, and the time is read once it is their turn.
 */
export function createPostgresRateCounter({ db, log }: Pick<AppContext, 'db' | 'log'>): RateCounter {
  const forget = () =>
    db.$executeRaw(Prisma.sql`
      DELETE FROM "RateWindow" WHERE "key" IN (
        SELECT "key" FROM "RateWindow" WHERE "until" < ${Prisma.raw(NOW_MS)} FOR UPDATE SKIP LOCKED)`);
  const timer = setInterval(() => {
    forget().catch((err) => log.warn({ err }, 'old counts of requests were not forgotten'));
  }, FORGET_EVERY_MS).unref();
  return {
    async take({ name, limit, windowMs }, caller, count): Promise<Counted> {
      const key = `${name}/${caller}`;
      for (;;) {
        // No row where the window has no room for as many.
        const [taken] = count > limit ? [] : await runPrepared<Row>(db, TAKE, [key, count, windowMs, limit]);
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

const TAKE = {
  name: 'rate.take',
  text: `
    INSERT INTO "RateWindow" AS held ("key", "times", "until")
    SELECT $1, array_fill(now.at, ARRAY[$2::int]), now.at + $3::int FROM (SELECT ${NOW_MS} AS at) now
    ON CONFLICT ("key") DO UPDATE SET ("times", "until") = (
      SELECT held."times"[width_bucket(now.at - $3::int - 1, held."times") + 1 :]
        || array_fill(now.at, ARRAY[$2::int]), now.at + $3::int
      -- A clock that is set back must not make the times unordered.
      FROM (SELECT greatest(${NOW_MS}, held."times"[cardinality(held."times")]) AS at) now)
    WHERE cardinality(held."times") - width_bucket(${NOW_MS} - $3::int - 1, held."times") + $2::int <= $4::int
    RETURNING cardinality("times") AS used, "times"[cardinality("times")] AS at, "times"[1] AS "oldestAt"`,
};

const LOOK = {
  name: 'rate.look',
  text: `
    SELECT coalesce(cardinality(kept.times), 0) AS used, now.at, coalesce(kept.times[1], now.at) AS "oldestAt"
    FROM (SELECT ${NOW_MS} AS at) now LEFT JOIN "RateWindow" held ON held."key" = $1
    CROSS JOIN LATERAL (
      SELECT held."times"[width_bucket(now.at - $2::int - 1, held."times") + 1 :] AS times) kept`,
};
