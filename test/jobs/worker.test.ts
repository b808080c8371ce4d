import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type JobHandlers, startWorkers, type Workers } from '../../src/jobs/worker.ts';
import { type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

const SOON = { timeout: 20_000, interval: 20 };

/** A payload that goes by one number. */
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
  const lines = () => ctx.logged.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('runs every job once, however many workers there are', async () => {
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

  it('does not add a job again while one of its id waits or runs, and does afterwards', async () => {
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

  it('tries again what failed', async () => {
    const attempts: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        attempts.push(share);
        if (attempts.length === 1) throw new Error('the database went away');
      },
    });
    const id = randomUUID();
    await ctx.jobs.add('payments.collect', collect(1), { jobId: id });
    await vi.waitFor(() => expect(attempts).toEqual([1, 1]), SOON);
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'job failed', job: 'payments.collect', jobId: id }),
    );
  });

  it('refuses a payload that is not as the catalog says, once and for all, and frees its id', async () => {
    const seen: number[] = [];
    await start({
      'payments.collect': async (_, { share }) => {
        seen.push(share);
      },
    });
    const jobId = randomUUID();
    await ctx.jobs.add('payments.collect', collect(-1), { jobId });
    const refused = expect.objectContaining({
      jobId,
      attempt: 1,
      err: expect.objectContaining({ message: expect.stringContaining('payload refused') }),
    });
    await vi.waitFor(() => expect(lines()).toContainEqual(refused), SOON);
    await ctx.jobs.add('payments.collect', collect(2), { jobId });
    await vi.waitFor(() => expect(seen).toEqual([2]), SOON);
  });

  it('shares one tick of a timer among all workers', async () => {
    const ticks: number[] = [];
    const handlers: Partial<JobHandlers> = {
      'events.relay': async () => {
        ticks.push(performance.now());
      },
    };
    await Promise.all([start(handlers), start(handlers), start(handlers)]);
    await vi.waitFor(() => expect(ticks.length).toBeGreaterThanOrEqual(6), SOON);
    // Starting may bring the first ticks together; from then on it is one a second, not one a worker.
    const [, , third = 0, , , sixth = 0] = ticks;
    expect(sixth - third).toBeGreaterThan(2000);
  });

  it('runs a timer at once when it is nudged', async () => {
    let ticks = 0;
    await start({
      'sessions.expire': async () => {
        ticks += 1;
      },
    });
    await vi.waitFor(() => expect(ticks).toBe(1), SOON);
    await ctx.jobs.add('sessions.expire', {}, { jobId: 'nudge' });
    await vi.waitFor(() => expect(ticks).toBe(2), { ...SOON, timeout: 5000 });
  });

  it('brings timers back after the store has lost everything', async () => {
    let ticks = 0;
    await start({
      'events.relay': async () => {
        ticks += 1;
      },
    });
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(0), SOON);
    await store.wipe();
    const before = ticks;
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(before + 3), SOON);
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

  it('hands a job back that does not finish in time, and another worker takes it', async () => {
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
