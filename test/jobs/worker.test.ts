import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobName } from '../../src/jobs/catalog.ts';
import { NotYet } from '../../src/jobs/not-yet.ts';
import { startWorkers, type Workers } from '../../src/jobs/worker.ts';
import type { JobHandlers } from '../../workers/job-handler.ts';
import { SOON } from '../support/soon.ts';
import { type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

/** The payload of a collection job with that share. */
const collect = (share: number) => ({ environment: 'TEST' as const, share });

describe.each(storesHere('jobs'))('jobs on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let started: Workers[];
  let stuck: PromiseWithResolvers<void>;

  beforeAll(async () => {
    store = await open();
  });
  beforeEach(() => {
    ctx = testContext(store);
    started = [];
    stuck = Promise.withResolvers();
  });
  afterEach(async () => {
    stuck.resolve();
    await Promise.all(started.map((workers) => workers.close()));
    await ctx.close();
    await store.wipe();
  });
  afterAll(() => store.close());

  const start = async (handlers: Partial<JobHandlers>) => {
    const workers = await startWorkers(ctx, handlers);
    started.push(workers);
    return workers;
  };
  const queueOf = async (name: JobName) => {
    const found = (await ctx.jobs.queues()).find(({ job }) => job === name);
    return found?.queue as Queue;
  };
  const readFailed = async (name: JobName) => (await queueOf(name)).getFailed();
  const lines = () => ctx.logged.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('runs every job once, with any number of workers', async () => {
    const seen: number[] = [];
    const handlers: Partial<JobHandlers> = {
      'payments.collect': async (_, { share }) => {
        seen.push(share);
      },
    };
    await Promise.all([start(handlers), start(handlers)]);
    const shares = Array.from({ length: 100 }, (_, share) => share);
    await ctx.jobs.addMany(
      'payments.collect',
      shares.map((share) => ({ payload: collect(share), jobId: `share-${share}` })),
    );
    await vi.waitFor(() => expect(seen).toHaveLength(shares.length), SOON);
    await Promise.all(started.splice(0).map((workers) => workers.close()));
    expect(seen.toSorted((a, b) => a - b)).toEqual(shares);
  });

  it('does not add a job while one with its id waits or runs, and adds it afterwards', async () => {
    const id = randomUUID();
    let runs = 0;
    const running = Promise.withResolvers<void>();
    const add = () => ctx.jobs.add('payments.collect', collect(1), { jobId: id });
    await add();
    await add();
    await start({
      'payments.collect': async () => {
        runs += 1;
        running.resolve();
        await stuck.promise;
      },
    });
    await running.promise;
    await ctx.jobs.addMany('payments.collect', [{ payload: collect(1), jobId: id }]);
    expect(runs).toBe(1);
    stuck.resolve();
    await vi.waitFor(async () => {
      await add();
      expect(runs).toBeGreaterThan(1);
    }, SOON);
  });

  it('retries a failed job', async () => {
    const attempts: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        attempts.push(share);
        if (attempts.length === 1) throw new Error('the database does not answer');
      },
    });
    const id = randomUUID();
    await ctx.jobs.add('payments.collect', collect(1), { jobId: id });
    await vi.waitFor(() => expect(attempts).toEqual([1, 1]), SOON);
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'job failed', job: 'payments.collect', jobId: id }),
    );
  });

  it('fails a payload that does not match the catalog, and keeps the reason', async () => {
    await start({ 'payments.collect': async () => undefined });
    await ctx.jobs.add('payments.collect', collect(-1), { jobId: 'refused' });
    await vi.waitFor(async () => {
      expect(await readFailed('payments.collect')).toEqual([
        expect.objectContaining({
          id: 'refused',
          attemptsMade: 1,
          failedReason: expect.stringContaining('payload refused'),
        }),
      ]);
    }, SOON);
  });

  it('keeps the newest 200 failed jobs', async () => {
    await start({ 'payments.collect': async () => undefined });
    const first = { payload: collect(-1), jobId: 'first' };
    const others = Array.from({ length: 199 }, () => ({ payload: collect(-1) }));
    const queue = await queueOf('payments.collect');
    const untilFailed = (failed: number) =>
      vi.waitFor(async () => expect(await queue.getJobCounts('failed')).toEqual({ failed }), SOON);
    await ctx.jobs.addMany('payments.collect', [first]);
    await untilFailed(1);
    await ctx.jobs.addMany('payments.collect', others);
    await untilFailed(200);
    // Alone: of two jobs that fail at the same time, neither counts the other.
    await ctx.jobs.addMany('payments.collect', [{ payload: collect(-1) }]);
    await vi.waitFor(async () => expect(await queue.getJob('first')).toBeUndefined(), SOON);
    expect(await queue.getJobCounts('failed')).toEqual({ failed: 200 });
  });

  it('runs a delayed job at its time, or at once when a sooner one is added', async () => {
    const ran: [share: number, atMs: number][] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        ran.push([share, Date.now()]);
      },
    });
    const addedAt = Date.now();
    await ctx.jobs.add('payments.collect', collect(2), { delayMs: 1_000 });
    await ctx.jobs.add('payments.collect', collect(1), { delayMs: 300 });
    await vi.waitFor(() => expect(ran.map(([share]) => share)).toEqual([1, 2]), SOON);
    expect(ran[0]?.[1]).toBeGreaterThanOrEqual(addedAt + 300);
    expect(ran[1]?.[1]).toBeGreaterThanOrEqual(addedAt + 1_000);
  });

  it('runs a job again later if it throws NotYet, and counts no failure', async () => {
    let runs = 0;
    await start({
      'payments.collect': async () => {
        runs += 1;
        if (runs < 3) throw new NotYet(50);
      },
    });
    await ctx.jobs.add('payments.collect', collect(1), { jobId: 'early' });
    await vi.waitFor(() => expect(runs).toBe(3), SOON);
    expect(await readFailed('payments.collect')).toEqual([]);
  });

  it('runs a job again if it was added while it ran', async () => {
    const running: PromiseWithResolvers<void>[] = [];
    await start({
      'payments.collect': async () => {
        const held = Promise.withResolvers<void>();
        running.push(held);
        await held.promise;
      },
    });
    const add = () =>
      ctx.jobs.add('payments.collect', collect(1), {
        deduplication: { id: 'endpoint', keepLastIfActive: true },
      });
    await add();
    await vi.waitFor(() => expect(running).toHaveLength(1), SOON);
    await add();
    await add();
    expect(running).toHaveLength(1);
    running[0]?.resolve();
    await vi.waitFor(() => expect(running).toHaveLength(2), SOON);
    running[1]?.resolve();
    await vi.waitFor(async () => {
      expect((await ctx.jobs.depths()).filter(({ count }) => count > 0)).toEqual([]);
    }, SOON);
    expect(running).toHaveLength(2);
  });

  it('leaves a job of another release to a worker of that release', async () => {
    const seen: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        seen.push(share);
      },
    });
    const queue = await queueOf('payments.collect');
    await queue.add('payments.collect', { v: 99, region: 'eu' }, { jobId: 'newer' });
    await queue.add('payments.collect', collect(1));
    await vi.waitFor(() => expect(seen).toEqual([1]), SOON);
    await vi.waitFor(async () => {
      expect(await queue.getDelayed()).toEqual([
        expect.objectContaining({ id: 'newer', data: { v: 99, region: 'eu' } }),
      ]);
    }, SOON);
    expect(await readFailed('payments.collect')).toEqual([]);
  });

  it('fails a job that no worker could read for a day', async () => {
    await start({ 'payments.collect': async () => undefined });
    const queue = await queueOf('payments.collect');
    const timestamp = Date.now() - 25 * 3_600_000;
    await queue.add('payments.collect', { v: 99 }, { jobId: 'lost', timestamp });
    await vi.waitFor(async () => {
      expect(await readFailed('payments.collect')).toEqual([
        expect.objectContaining({ id: 'lost', failedReason: expect.stringContaining('version 99') }),
      ]);
    }, SOON);
  });

  it('shares one tick of a timer among all workers', async () => {
    const ticks: number[] = [];
    const handlers: Partial<JobHandlers> = {
      'jobs.schedule': async () => {
        ticks.push(performance.now());
      },
    };
    await Promise.all([start(handlers), start(handlers), start(handlers)]);
    // The first ticks of several workers may coincide. From then on there is one in 15 seconds, not
    // one per worker.
    const later = () => ticks.filter((tick) => tick - (ticks[0] ?? 0) > 10_000);
    await vi.waitFor(() => expect(later()).not.toEqual([]), SOON);
    expect(later()).toHaveLength(1);
  });

  it('runs a timer at once when it is notified', async () => {
    let ticks = 0;
    await start({
      'rows.purge': async () => {
        ticks += 1;
      },
    });
    await vi.waitFor(() => expect(ticks).toBe(1), SOON);
    await ctx.jobs.add('rows.purge', {}, { jobId: 'notify' });
    await vi.waitFor(() => expect(ticks).toBe(2), SOON);
  });

  it('restores timers after the store has lost its data', async () => {
    let ticks = 0;
    await start({
      'jobs.schedule': async () => {
        ticks += 1;
      },
    });
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(0), SOON);
    await store.wipe();
    const before = ticks;
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(before), SOON);
  });

  it('runs a timer that a clock ahead of ours has delayed until tomorrow', async () => {
    const tomorrow = Date.now() + 86_400_000;
    const queues = await ctx.jobs.queues();
    const scheduled = queues.find(({ job }) => job === 'jobs.schedule')?.queue;
    await scheduled?.upsertJobScheduler(
      'jobs.schedule',
      { every: 15_000, startDate: tomorrow },
      { data: {} },
    );
    expect((await scheduled?.getJobScheduler('jobs.schedule'))?.next).toBeGreaterThan(tomorrow - 60_000);
    const ticked = Promise.withResolvers<void>();
    await start({ 'jobs.schedule': async () => ticked.resolve() });
    await ticked.promise;
  });

  it('lets a running job finish when it closes', async () => {
    const done: number[] = [];
    const running = Promise.withResolvers<void>();
    const workers = await start({
      'payments.collect': async (_, { share }) => {
        running.resolve();
        await stuck.promise;
        done.push(share);
      },
    });
    await ctx.jobs.add('payments.collect', collect(1));
    await running.promise;
    const closed = workers.close();
    stuck.resolve();
    await closed;
    expect(done).toEqual([1]);
  });

  it('releases a job that does not finish in time, and another worker runs it', async () => {
    const running = Promise.withResolvers<void>();
    const workers = await start({
      'payments.collect': async () => {
        running.resolve();
        await stuck.promise;
      },
    });
    const id = randomUUID();
    await ctx.jobs.add('payments.collect', collect(1), { jobId: id });
    await running.promise;
    await workers.close(100);
    const taken: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        taken.push(share);
      },
    });
    await vi.waitFor(() => expect(taken).toEqual([1]), SOON);
  });
});
