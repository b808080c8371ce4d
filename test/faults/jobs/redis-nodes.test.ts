import { Redis } from 'ioredis';
import { describe, expect, inject, it, vi } from 'vitest';
import { createRateLimits } from '../../../src/api/rate-limit/rate-limits.ts';
import { queuesFromEnv } from '../../../src/config/part-from-env.ts';
import { redisOf } from '../../../src/config/redis-config.ts';
import { assertKeepsJobs } from '../../../src/jobs/assert-keeps-jobs.ts';
import { assertRedisReachable } from '../../../src/jobs/assert-redis-reachable.ts';
import { jobNames } from '../../../src/jobs/catalog.ts';
import { startWorkers } from '../../../src/jobs/worker.ts';
import { LiveInterruptedError } from '../../../src/live/live-subscription.ts';
import { freePort } from '../../../src/postgres/free-port.ts';
import { findRedisServer } from '../../../tools/redis-server.ts';
import { type TestContext, testContext } from '../../jobs/context.ts';
import { PASSWORD, startCluster, startSentinel, startServer } from '../../jobs/redis-nodes.ts';
import { cloneDatabase } from '../../support/postgres.ts';
import { SOON } from '../../support/soon.ts';

const binary = findRedisServer() as string;
if (!binary) console.warn('SKIPPED: Redis Cluster and Sentinel: no redis-server on this machine');

/** A step of a long test. A step that hangs fails with its name. */
async function step<T>(name: string, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`after ${SOON.timeout} ms: ${name}`)), SOON.timeout);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** The contexts of two processes, configured with variables as an operator does it. */
async function openContexts(closing: AsyncDisposableStack, variables: Record<string, string>) {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const config = queuesFromEnv({ DATABASE_URL: database.url, ...variables });
  const store = redisOf(config);
  if (!store) throw new Error('the variables name no Redis');
  const contexts = [testContext(config), testContext(config)] as const;
  for (const ctx of contexts) closing.defer(() => ctx.close());
  return { store, contexts };
}

async function expectAllToWork([first, second]: readonly [TestContext, TestContext], round: number) {
  const updates = first.live.subscribe('checkout-session.updated', { sessionId: `cs_${round}` });
  await step('a live update is subscribed to', updates.ready);
  const nextUpdate = updates.next();
  // Published repeatedly, because messages are lost until the nodes of a cluster know each other.
  const publishing = setInterval(
    () => void second.live.publish('checkout-session.updated', { sessionId: `cs_${round}` }),
    200,
  );
  expect(
    await step('a live update is received', nextUpdate).finally(() => clearInterval(publishing)),
  ).toEqual({
    value: { sessionId: `cs_${round}` },
    done: false,
  });
  await step('the live subscription is ended', Promise.resolve(updates.return()));
  const policy = { name: `round ${round}`, limit: 2, windowMs: 60_000 };
  const limits = await Promise.all([first, second].map((ctx) => createRateLimits(ctx)));
  const allowed = [];
  for (const caller of ['one', 'two', 'three', 'four']) {
    for (const limit of [...limits, ...limits]) {
      allowed.push((await step('a request is counted', limit.take(policy, caller))).allowed);
    }
  }
  await Promise.all(limits.map((limit) => limit.close()));
  expect(allowed).toEqual(Array.from({ length: 4 }, () => [true, true, false, false]).flat());
}

async function startCollecting(closing: AsyncDisposableStack, ctx: TestContext) {
  const done = new Set<number>();
  const ticked = vi.fn();
  const workers = await startWorkers(ctx, {
    'jobs.schedule': async () => ticked(),
    'payments.collect': async (_, { share }) => void done.add(share),
  });
  closing.defer(() => workers.close());
  return { done, ticked };
}

describe.runIf(binary)('a Redis of more than one server', () => {
  it('is a cluster: everything works, and survives the loss of a node', async () => {
    await using closing = new AsyncDisposableStack();
    const nodes = await step('the cluster starts', startCluster(binary, closing));
    const { store, contexts } = await openContexts(closing, {
      REDIS_CLUSTER_NODES: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_PASSWORD: PASSWORD,
      REDIS_PREFIX: 'shop',
    });
    await step('the cluster is reached', assertRedisReachable(store));
    const { done, ticked } = await step('workers start', startCollecting(closing, contexts[0]));
    await expectAllToWork(contexts, 1);
    await step('a job is added', contexts[1].jobs.add('payments.collect', { environment: 'TEST', share: 1 }));
    await vi.waitFor(() => expect([done.has(1), ticked.mock.calls.length > 1]).toEqual([true, true]), SOON);
    const depths = await step('the queues are counted', contexts[1].jobs.depths());
    expect(new Set(depths.map(({ job }) => job))).toEqual(new Set(jobNames));
    // Each queue has its own slot, so that the nodes share them.
    const keys = await Promise.all(
      nodes.map(async ({ port }) => {
        const node = new Redis({ port, password: PASSWORD });
        const nodeKeys = await node.keys('*');
        await node.quit();
        return nodeKeys;
      }),
    );
    expect(keys.flat().filter((key) => !/^shop:(\{bull-[\w.]+\}:|dues:rate:)/.test(key))).toEqual([]);
    const nodesWithQueues = keys.filter((nodeKeys) => nodeKeys.some((key) => key.includes('{bull-')));
    expect(nodesWithQueues.length).toBeGreaterThan(1);
    // Live updates come from one of the nodes: a subscriber gets an error when that connection is
    // lost.
    const waiting = contexts[0].live.subscribe('checkout-session.updated', { sessionId: 'cs_gone' });
    await step('a second live update is subscribed to', waiting.ready);
    const interrupted = expect(waiting.next()).rejects.toThrow(LiveInterruptedError);
    for (const { port } of nodes) {
      const killer = new Redis({ port, password: PASSWORD });
      await killer.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await killer.quit();
    }
    await step('the subscriber is interrupted', interrupted);
    await expectAllToWork(contexts, 2);
    expect(contexts[0].logged.join()).not.toContain(PASSWORD);
  });

  it('is found through sentinels: everything continues on the replica', async () => {
    await using closing = new AsyncDisposableStack();
    const sentinel = await startSentinel(binary, closing);
    const { store, contexts } = await openContexts(closing, {
      REDIS_SENTINELS: `127.0.0.1:1,127.0.0.1:${sentinel.port}`,
      REDIS_SENTINEL_NAME: 'dues',
      REDIS_SENTINEL_PASSWORD: 'sentinels-own',
      REDIS_PASSWORD: PASSWORD,
    });
    await assertRedisReachable(store);
    const { done } = await startCollecting(closing, contexts[0]);
    await expectAllToWork(contexts, 1);
    const sentinelClient = new Redis({ port: sentinel.port, password: 'sentinels-own' });
    closing.defer(() => sentinelClient.disconnect());
    // A sentinel promotes only a server that it knows as a replica.
    await vi.waitFor(async () => {
      expect(JSON.stringify(await sentinelClient.call('SENTINEL', 'REPLICAS', 'dues'))).toContain(
        '"master-link-status","ok"',
      );
    }, SOON);
    await sentinel.loseFirst();
    let share = 1_000;
    await vi.waitFor(async () => {
      share += 1;
      await contexts[1].jobs.add('payments.collect', { environment: 'TEST', share });
      // Any of the jobs added since then: the last one may not have run yet.
      expect([...done].some((doneShare) => doneShare > 1_000)).toBe(true);
    }, SOON);
    await expectAllToWork(contexts, 2);
  });

  it.each([
    ['REDIS_CLUSTER_NODES', { REDIS_CLUSTER_NODES: '127.0.0.1:1,127.0.0.1:2' }],
    ['REDIS_SENTINELS', { REDIS_SENTINELS: '127.0.0.1:1', REDIS_SENTINEL_NAME: 'dues' }],
  ])('that does not answer is reported in one line, by %s', async (name, variables) => {
    const store = redisOf(
      queuesFromEnv({ DATABASE_URL: 'postgresql://localhost/dues', ...variables, REDIS_PASSWORD: PASSWORD }),
    );
    const error = await assertRedisReachable(store as NonNullable<typeof store>).catch((error) => error);
    expect(error).toMatchObject({ name: 'RedisUnusable' });
    expect(error.message).toContain(`127.0.0.1:1`);
    expect(error.message).toContain(`cannot be used (${name})`);
    expect(error.message).not.toContain(PASSWORD);
    expect(error.message).not.toContain('\n');
  });

  it('of a cluster that does not serve all slots is reported in one line', async () => {
    await using closing = new AsyncDisposableStack();
    const lines = ['cluster-enabled yes', `cluster-port ${await freePort()}`];
    const node = await startServer(binary, lines, { password: '' });
    closing.defer(() => node.stop());
    const redis = new Redis({ port: node.port });
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '100');
    await redis.quit();
    const address = `127.0.0.1:${node.port}`;
    const store = redisOf(
      queuesFromEnv({ DATABASE_URL: 'postgresql://localhost/dues', REDIS_CLUSTER_NODES: address }),
    );
    await expect(assertRedisReachable(store as NonNullable<typeof store>)).rejects.toThrow(
      `The Redis Cluster at ${address} cannot be used (REDIS_CLUSTER_NODES): the connection was closed; ` +
        'cluster_state of its nodes may not be "ok"',
    );
  });

  it('with a wrong password is reported as such', async () => {
    await using closing = new AsyncDisposableStack();
    const [node] = await startCluster(binary, closing);
    const store = redisOf(
      queuesFromEnv({
        DATABASE_URL: 'postgresql://localhost/dues',
        REDIS_CLUSTER_NODES: `127.0.0.1:${node?.port}`,
        REDIS_PASSWORD: 'not-this-one',
      }),
    );
    await expect(assertRedisReachable(store as NonNullable<typeof store>)).rejects.toThrow(/WRONGPASS/);
  });
});

describe.runIf(binary)('a Redis whose memory is full', () => {
  const open = async (closing: AsyncDisposableStack, lines: readonly string[]) => {
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    closing.defer(() => database.drop());
    const server = await startServer(binary, lines, { password: '' });
    closing.defer(() => server.stop());
    const url = `redis://127.0.0.1:${server.port}`;
    const ctx = testContext({ databaseUrl: database.url, redisUrl: url });
    closing.defer(() => ctx.close());
    return ctx;
  };

  it.each(['allkeys-lru', 'volatile-ttl'])('and that evicts by %s runs no worker', async (policy) => {
    await using closing = new AsyncDisposableStack();
    const ctx = await open(closing, [`maxmemory-policy ${policy}`, 'rename-command CONFIG ""']);
    await expect(startWorkers(ctx, {})).rejects.toThrow(
      new RegExp(`maxmemory-policy is ${policy} and must be noeviction`),
    );
  });

  it('and that hides its eviction policy is used with a warning in the log', async () => {
    await using closing = new AsyncDisposableStack();
    const ctx = await open(closing, [
      'maxmemory-policy allkeys-lru',
      'user default on nopass ~* &* +@all -info -config',
    ]);
    const redis = new Redis(ctx.config.redisUrl as string);
    closing.defer(() => redis.disconnect());
    await assertKeepsJobs(redis, ctx.log);
    expect(ctx.logged.join()).toContain('does not report its maxmemory-policy');
  });
});
