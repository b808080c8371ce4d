import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { enqueueFollowing } from '../../../src/domain/billing/collect/enqueue-following.ts';
import { enqueuePayments } from '../../../src/domain/billing/schedule/enqueue-payments.ts';
import { enqueueDeliveries } from '../../../src/domain/messages/webhook/delivery/enqueue-deliveries.ts';
import { startWorkers, type Workers } from '../../../src/jobs/worker.ts';
import type { JobHandlers } from '../../../workers/job-handler.ts';
import { type TestContext, testContext } from '../../jobs/context.ts';
import { type OpenStore, storesHere } from '../../jobs/stores.ts';
import { SOON } from '../../support/soon.ts';

const SCRIPT = fileURLToPath(new URL('../../jobs/worker-process.ts', import.meta.url));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const collect = (share: number) => ({ environment: 'TEST' as const, share });

describe.each(storesHere('killed workers'))('jobs on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let started: Workers[];
  let children: ChildProcess[];

  beforeAll(async () => {
    store = await open();
  });
  beforeEach(() => {
    ctx = testContext(store);
    started = [];
    children = [];
  });
  afterEach(async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }),
    );
    await Promise.all(started.map((workers) => workers.close()));
    await ctx.close();
    await store.wipe();
  });
  afterAll(() => store.close());

  async function startChild() {
    const { databaseUrl, redisUrl } = store;
    const child = fork(SCRIPT, [JSON.stringify({ databaseUrl, redisUrl })]);
    children.push(child);
    const messages: unknown[] = [];
    child.on('message', (message) => messages.push(message));
    await vi.waitFor(() => expect(messages).toContain('ready'), SOON);
    const waitForMessage = (message: unknown) =>
      vi.waitFor(() => expect(messages).toContainEqual(message), SOON);
    return { child, messages, waitForMessage };
  }

  const start = async (handlers: Partial<JobHandlers>) => {
    started.push(await startWorkers(ctx, handlers));
  };

  const enqueueNow = () =>
    enqueuePayments(ctx, [{ environment: 'TEST', at: ctx.clock.now(), isRetry: false }]);

  it('that collect run again after their worker is killed', async () => {
    const { child, waitForMessage } = await startChild();
    await enqueueNow();
    await waitForMessage({ began: 'share 0' });
    const shares: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        shares.push(share);
      },
    });
    child.kill('SIGKILL');
    await vi.waitFor(
      async () => {
        ctx.clock.advance(1_000);
        await enqueueNow();
        expect(shares).toContain(0);
      },
      { ...SOON, interval: 1_000 },
    );
    // The job of the killed worker is still active.
    await vi.waitFor(async () => {
      expect(await ctx.jobs.depths()).toContainEqual({ job: 'payments.collect', state: 'active', count: 1 });
    }, SOON);
  });

  it('stay with their worker while its event loop is blocked for six seconds', async () => {
    const { child, messages, waitForMessage } = await startChild();
    await ctx.jobs.add('payments.collect', collect(0), { jobId: 'TEST-0' });
    await waitForMessage({ began: 'share 0' });
    const shares: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        shares.push(share);
      },
    });
    child.send(6_000);
    await waitForMessage({ ended: 'share 0' });
    await vi.waitFor(async () => {
      expect(await ctx.jobs.depths()).toContainEqual({ job: 'payments.collect', state: 'active', count: 0 });
    }, SOON);
    expect(shares).toEqual([]);
    expect(messages.filter((message) => isDeepStrictEqual(message, { began: 'share 0' }))).toHaveLength(1);
  });

  it('that are timers continue after the worker that ran the last tick is killed', async () => {
    const { child, waitForMessage } = await startChild();
    await waitForMessage({ began: 'tick' });
    let ticks = 0;
    await start({
      'jobs.schedule': async () => {
        ticks += 1;
      },
    });
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(0), SOON);
  });

  it('that run once for all workers move to another one when theirs is killed', async () => {
    const { child, waitForMessage } = await startChild();
    await enqueueFollowing(ctx);
    await waitForMessage({ began: 'follow' });
    const running: PromiseWithResolvers<void>[] = [];
    const shares = new Set<number>();
    const handlers: Partial<JobHandlers> = {
      'transactions.follow': async () => {
        const release = Promise.withResolvers<void>();
        running.push(release);
        await release.promise;
      },
      'payments.collect': async (_, { share }) => void shares.add(share),
    };
    await Promise.all([start(handlers), start(handlers), start(handlers)]);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(running).toHaveLength(1), SOON);
    // The next job of this kind waits, while the workers run other jobs.
    await enqueueFollowing(ctx);
    for (const share of [0, 1, 2]) await ctx.jobs.add('payments.collect', collect(share));
    await vi.waitFor(() => expect(shares.size).toBe(3), SOON);
    expect(running).toHaveLength(1);
    running[0]?.resolve();
    await vi.waitFor(() => expect(running).toHaveLength(2), SOON);
    running[1]?.resolve();
  });

  it('that deliver to an endpoint continue on an idle worker after theirs is killed', async () => {
    const visited = new Set<string>();
    await start({ 'webhooks.deliver': async (_, { endpointId }) => void visited.add(endpointId) });
    const { child, messages } = await startChild();
    // Repeated until the child process runs one of them.
    const endpointId = await vi.waitFor(async () => {
      await enqueueDeliveries(ctx, [{ endpointId: randomUUID() }]);
      const began = messages.find(
        (message) => isObject(message) && message.began !== 'tick' && message.began,
      );
      if (!began) throw new Error('the child process has begun no delivery');
      return (began as { began: string }).began;
    }, SOON);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(visited).toContain(endpointId), SOON);
  });

  it('are ended by the worker that continued them, not by the suspended one', SOON, async () => {
    const { child, waitForMessage } = await startChild();
    await ctx.jobs.add('payments.collect', collect(0), { jobId: 'TEST-0' });
    await waitForMessage({ began: 'share 0' });
    child.kill('SIGSTOP');
    const running: PromiseWithResolvers<void>[] = [];
    await start({
      'payments.collect': async () => {
        const release = Promise.withResolvers<void>();
        running.push(release);
        await release.promise;
      },
    });
    await store.endLocks();
    await vi.waitFor(() => expect(running).toHaveLength(1), SOON);
    child.kill('SIGCONT');
    child.send('go');
    await waitForMessage({ ended: 'share 0' });
    // The job is still active on the other worker, so adding it again has no effect.
    await ctx.jobs.add('payments.collect', collect(0), { jobId: 'TEST-0' });
    expect(running).toHaveLength(1);
    const counts = await ctx.jobs.depths();
    expect(counts).toContainEqual({ job: 'payments.collect', state: 'active', count: 1 });
    running[0]?.resolve();
    await vi.waitFor(async () => {
      expect(await ctx.jobs.depths()).toContainEqual({
        job: 'payments.collect',
        state: 'active',
        count: 0,
      });
    }, SOON);
    expect(child.exitCode).toBeNull();
  });
});
