import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPostgresRateCounter } from '../../src/api/rate-limit/postgres-rate-counter.ts';
import type { Counted, RateCounter, RatePolicy } from '../../src/api/rate-limit/rate-limit.ts';
import { createRedisRateCounter } from '../../src/api/rate-limit/redis-rate-counter.ts';
import { connectDb, type Db } from '../../src/db/db.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { cloneDatabase } from '../support/postgres.ts';

const log = pino({ level: 'silent' });
const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server: only the counter in PostgreSQL is tested');

const STORES: Record<string, () => Promise<{ counters: RateCounter[]; close(): Promise<void> }>> = {
  PostgreSQL: async () => {
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    const dbs: Db[] = [connectDb(database.url), connectDb(database.url)];
    return {
      counters: dbs.map((db) => createPostgresRateCounter({ db, log })),
      close: async () => {
        await Promise.all(dbs.map((db) => db.$disconnect()));
        await database.drop();
      },
    };
  },
  ...(redisServer && {
    Redis: async () => {
      const redis = await startRedis(redisServer);
      const counters = await Promise.all(
        [1, 2].map(() => createRedisRateCounter({ kind: 'server', url: redis.url }, log)),
      );
      return { counters, close: () => redis.stop() };
    },
  }),
};

describe.each(Object.entries(STORES))('requests counted in %s, by two processes', (_, open) => {
  let counters: RateCounter[];
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ counters, close } = await open());
  });
  afterAll(async () => {
    await Promise.all(counters.map((counter) => counter.close()));
    await close();
  });

  let callers = 0;
  const newCaller = () => `caller ${callers++}`;
  const take = (policy: RatePolicy, caller: string, count = 1, process = 0): Promise<Counted> => {
    const counter = counters[process % counters.length];
    if (!counter) throw new Error('No counter');
    return counter.take(policy, caller, count);
  };
  const policy = (limit: number, windowMs: number): RatePolicy => ({ name: `of ${limit}`, limit, windowMs });

  it('accepts concurrent requests up to the limit, and refuses the others', async () => {
    const caller = newCaller();
    const verdicts = await Promise.all(
      Array.from({ length: 150 }, (_, index) => take(policy(100, 60_000), caller, 1, index)),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(100);
    expect(verdicts.map(({ used }) => used).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: 100 }, (_, index) => index + 1),
      ...Array<number>(50).fill(100),
    ]);
  });

  it('no window holds more than the limit, and only a full one refuses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 20, max: 60 }),
        async (limit, windowMs) => {
          const caller = newCaller();
          const results: Counted[] = [];
          const passedMs = () => (results.at(-1)?.at ?? 0) - (results[0]?.at ?? 0);
          const allowedCount = () => results.filter((result) => result.allowed).length;
          // As fast as possible until three windows have ended, by the clock of the counter, and more
          // than one was filled: a slow machine makes few requests in a window.
          for (let index = 0; passedMs() < 3 * windowMs || allowedCount() <= limit; index += 2) {
            const concurrent = [index, index + 1].map((process) =>
              take(policy(limit, windowMs), caller, 1, process),
            );
            results.push(...(await Promise.all(concurrent)));
          }
          const allowed = results
            .filter((result) => result.allowed)
            .map(({ at }) => at)
            .sort((a, b) => a - b);
          for (const [index, at] of allowed.entries()) {
            const next = allowed[index + limit];
            if (next !== undefined) expect(next - at).toBeGreaterThan(windowMs);
          }
          for (const { at, oldestAt } of results.filter((result) => !result.allowed)) {
            expect(
              allowed.filter((time) => time >= at - windowMs && time <= at).length,
            ).toBeGreaterThanOrEqual(limit);
            expect(oldestAt).toBeGreaterThanOrEqual(at - windowMs);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('several requests are counted all together or not at all', async () => {
    const caller = newCaller();
    const ten = policy(10, 60_000);
    expect(await take(ten, caller, 7)).toMatchObject({ allowed: true, used: 7 });
    expect(await take(ten, caller, 4)).toMatchObject({ allowed: false, used: 7 });
    expect(await take(ten, caller, 3)).toMatchObject({ allowed: true, used: 10 });
    expect(await take(ten, newCaller(), 11)).toMatchObject({ allowed: false, used: 0 });
  });

  it('callers and policies are counted separately', async () => {
    const [one, other] = [newCaller(), newCaller()];
    const single = policy(1, 60_000);
    expect(await take(single, one)).toMatchObject({ allowed: true });
    expect(await take(single, one)).toMatchObject({ allowed: false });
    expect(await take(single, other)).toMatchObject({ allowed: true });
    expect(await take({ ...single, name: 'other' }, one)).toMatchObject({ allowed: true });
  });
});
