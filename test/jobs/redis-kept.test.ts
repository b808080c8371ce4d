import { expect, inject, it, vi } from 'vitest';
import { startWorkers } from '../../src/jobs/worker.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { SOON } from '../support/soon.ts';
import { testContext } from './context.ts';

const binary = findRedisServer();
if (!binary) console.warn('SKIPPED: a Redis that is killed: no redis-server on this machine');

it.runIf(binary)('a Redis that is killed and keeps its data still has the waiting jobs', async () => {
  await using closing = new AsyncDisposableStack();
  let redis = await startRedis(binary as string);
  closing.defer(() => redis.stop());
  const ctx = testContext({ databaseUrl: inject('templateDatabaseUrl'), redisUrl: redis.url });
  closing.defer(() => ctx.close());
  const done: number[] = [];
  // Opening the queue may take longer than a call is given.
  await vi.waitFor(() => ctx.jobs.depths(), SOON);
  await ctx.jobs.add('payments.retry', { environment: 'TEST', share: 1 }, { delayMs: 500 });
  redis = await redis.killAndKeep();
  const workers = await startWorkers(ctx, {
    'payments.retry': async (_, { share }) => {
      done.push(share);
    },
  });
  closing.defer(() => workers.close());
  await vi.waitFor(() => expect(done).toEqual([1]), SOON);
});
