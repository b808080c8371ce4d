import { Redis } from 'ioredis';
import { expect, inject, it, vi } from 'vitest';
import { startWorkers } from '../../src/jobs/worker.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { SOON } from '../support/soon.ts';
import { testContext } from './context.ts';

const binary = findRedisServer();
if (!binary) console.warn('SKIPPED: stopping during a new connection: no redis-server on this machine');
/** So long that a worker that waits for the timeout fails the test. */
const WITHIN_MS = 3_600_000;

it.runIf(binary)('workers stop although their blocking connections are just being made again', async () => {
  await using closing = new AsyncDisposableStack();
  const redis = await startRedis(binary as string);
  closing.defer(() => redis.stop());
  const admin = new Redis(redis.url);
  closing.defer(() => admin.disconnect());
  const ctx = testContext({ databaseUrl: inject('templateDatabaseUrl'), redisUrl: redis.url });
  closing.defer(() => ctx.close());
  for (let round = 0; round < 5; round += 1) {
    const workers = await startWorkers(ctx, { 'payments.retry': async () => undefined });
    const blocked = await vi.waitUntil(async () => blockedClient(await admin.client('LIST')), SOON);
    await admin.client('KILL', 'ID', blocked);
    await workers.close(WITHIN_MS);
  }
  expect(ctx.logged.filter((line) => line.includes('unreachable'))).toEqual([]);
});

/** The id of a client that waits for a job. */
function blockedClient(list: unknown): string | undefined {
  const line = String(list)
    .split('\n')
    .find((client) => /flags=b/.test(client));
  return line && /id=(\d+)/.exec(line)?.[1];
}
