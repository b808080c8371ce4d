import type { AppContext } from '../app.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Counted, RateCounter } from './rate-limit.ts';

const FORGET_EVERY_MS = 60_000;

type Row = { readonly used: number; readonly at: bigint; readonly oldestAt: bigint };

// The database's clock, which all processes share.
const NOW_MS = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Counts in our own database: one row a caller, with the times of the requests that count, oldest first. Callers of one row take
 * turns at it, and the time is read once it is their turn.
 */
export function createPostgresRateCounter({ db, log }: Pick<AppContext, 'db' | 'log'>): RateCounter {
  const forget = () =>
    db.$executeRaw(Prisma.sql`
      DELETE FROM "RateWindow" WHERE "key" IN (
        SELECT "key" FROM "RateWindow" WHERE "until" < ${NOW_MS} FOR UPDATE SKIP LOCKED)`);
  const timer = setInterval(() => {
    forget().catch((err) => log.warn({ err }, 'old counts of requests were not forgotten'));
  }, FORGET_EVERY_MS).unref();
  return {
    async take({ name, limit, windowMs }, caller, count): Promise<Counted> {
      const key = `${name}/${caller}`;
      for (;;) {
        const taken = count > limit ? undefined : await take(db, key, { count, limit, windowMs });
        const { used, at, oldestAt } = taken ?? (await look(db, key, windowMs));
        // Room that came between the two is there to be taken.
        if (!taken && used + count <= limit) continue;
        return { allowed: taken !== undefined, used, at: Number(at), oldestAt: Number(oldestAt) };
      }
    },
    close: async () => clearInterval(timer),
  };
}

/** Undefined where the window has no room for as many. */
async function take(
  db: AppContext['db'],
  key: string,
  { count, limit, windowMs }: { count: number; limit: number; windowMs: number },
): Promise<Row | undefined> {
  const [row] = await db.$queryRaw<Row[]>(Prisma.sql`
    INSERT INTO "RateWindow" AS held ("key", "times", "until")
    SELECT ${key}, array_fill(now.at, ARRAY[${count}::int]), now.at + ${windowMs}::int FROM (SELECT ${NOW_MS} AS at) now
    ON CONFLICT ("key") DO UPDATE SET ("times", "until") = (
      SELECT held."times"[width_bucket(now.at - ${windowMs}::int - 1, held."times") + 1 :]
        || array_fill(now.at, ARRAY[${count}::int]), now.at + ${windowMs}::int
      -- A clock that is set back must not make the times unordered.
      FROM (SELECT greatest(${NOW_MS}, held."times"[cardinality(held."times")]) AS at) now)
    WHERE cardinality(held."times") - width_bucket(${NOW_MS} - ${windowMs}::int - 1, held."times") + ${count}::int
      <= ${limit}::int
    RETURNING cardinality("times") AS used, "times"[cardinality("times")] AS at, "times"[1] AS "oldestAt"`);
  return row;
}

async function look(db: AppContext['db'], key: string, windowMs: number): Promise<Row> {
  const [row] = await db.$queryRaw<Row[]>(Prisma.sql`
    SELECT coalesce(cardinality(kept.times), 0) AS used, now.at, coalesce(kept.times[1], now.at) AS "oldestAt"
    FROM (SELECT ${NOW_MS} AS at) now LEFT JOIN "RateWindow" held ON held."key" = ${key}
    CROSS JOIN LATERAL (
      SELECT held."times"[width_bucket(now.at - ${windowMs}::int - 1, held."times") + 1 :] AS times) kept`);
  return row as Row;
}
