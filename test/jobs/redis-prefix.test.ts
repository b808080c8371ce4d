import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, inject, it, vi } from 'vitest';
import { createRedisRateCounter } from '../../src/api/rate-limit/redis-rate-counter.ts';
import { prefixOf } from '../../src/jobs/redis-connection.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';
import { testContext } from './context.ts';

const binary = findRedisServer();
if (!binary) console.warn('SKIPPED: prefixes on Redis: no redis-server on this machine');

describe.runIf(binary)('two installations on one Redis', () => {
  it('have jobs, live updates and counts of their own, under their prefixes', async () => {
    await using closing = new AsyncDisposableStack();
    const server = await startRedis(binary as string);
    closing.defer(() => server.stop());
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    closing.defer(() => database.drop());
    const installations = ['{one}', 'other'].map((redisPrefix) => {
      const ctx = testContext({ databaseUrl: database.url, redisUrl: server.url, redisPrefix });
      closing.defer(() => ctx.close());
      return { ctx, done: [] as number[], received: [] as string[] };
    });
    for (const { ctx, done, received } of installations) {
      const workers = await startWorkers(ctx, {
        'payments.collect': async (_, { share }) => {
          done.push(share);
        },
      });
      closing.defer(() => workers.close());
      const updates = ctx.live.subscribe('checkout-session.updated', { sessionId: 'cs_1' });
      await updates.ready;
      void (async () => {
        for await (const { sessionId } of updates) received.push(sessionId);
      })().catch(() => undefined);
    }
    const [one, other] = installations;
    if (!one || !other) throw new Error('the test needs two installations');
    await one.ctx.jobs.add('payments.collect', { environment: 'TEST', share: 1 });
    await other.ctx.jobs.add('payments.collect', { environment: 'TEST', share: 2 });
    await one.ctx.live.publish('checkout-session.updated', { sessionId: 'cs_1' });
    await vi.waitFor(() => {
      expect([one.done, other.done, one.received]).toEqual([[1], [2], ['cs_1']]);
    }, SOON);
    expect(other.received).toEqual([]);
    const policy = { name: 'default', limit: 1, windowMs: 60_000 };
    for (const { ctx } of installations) {
      const counter = await createRedisRateCounter(
        { kind: 'server', url: server.url },
        pino({ level: 'silent' }),
        prefixOf(ctx.config),
      );
      closing.defer(() => counter.close());
      expect((await counter.take(policy, 'caller', 1)).allowed).toBe(true);
    }
    const redis = new Redis(server.url);
    const keys = await redis.keys('*');
    await redis.quit();
    expect(keys.filter((key) => !key.startsWith('{one}:') && !key.startsWith('other:'))).toEqual([]);
  });
});
