/** Payment jobs that start before their time, because the billing clock was set back. */

import type { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenClaims } from '../../src/domain/billing/collect/open-claims.ts';
import { enqueuePayments } from '../../src/domain/billing/schedule/enqueue-payments.ts';
import { startWorkers, type Workers } from '../../src/jobs/worker.ts';
import { PaymentCollector } from '../../workers/collect-payments.ts';
import { SOON } from '../support/soon.ts';
import { type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

const MINUTE = 60_000;

describe.each(storesHere('early payments'))('early payments on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let workers: Workers | undefined;

  beforeAll(async () => {
    store = await open();
  });
  beforeEach(() => {
    ctx = testContext(store);
  });
  afterEach(async () => {
    await workers?.close();
    await ctx.close();
    await store.wipe();
  });
  afterAll(() => store.close());

  /** Enqueues a payment that is due now, sets the clock back, and starts a worker. */
  async function startWithClockSetBack(milliseconds: number): Promise<Queue> {
    const queues = await vi.waitFor(() => ctx.jobs.queues(), SOON);
    const queue = queues.find(({ job }) => job === 'payments.collect')?.queue as Queue;
    await enqueuePayments(ctx, [{ environment: 'TEST', at: ctx.clock.now(), isRetry: false }]);
    ctx.clock.advance(-milliseconds);
    workers = await startWorkers(ctx, {
      'payments.collect': new PaymentCollector(new OpenClaims()).job('payments.collect'),
    });
    return queue;
  }

  it('wait if the clock is set back by a minute', async () => {
    const queue = await startWithClockSetBack(MINUTE);
    await vi.waitFor(async () => {
      expect(await queue.getDelayed()).toMatchObject([{ attemptsStarted: 1, attemptsMade: 0 }]);
    }, SOON);
  });

  it('end if the clock is set back by an hour, and are enqueued when due', async () => {
    const queue = await startWithClockSetBack(60 * MINUTE);
    const none = { waiting: 0, active: 0, delayed: 0, failed: 0 };
    await vi.waitFor(async () => expect(await queue.getJobCounts()).toMatchObject(none), SOON);
    ctx.clock.advance(60 * MINUTE - 1_000);
    await enqueuePayments(ctx, [
      { environment: 'TEST', at: new Date(ctx.clock.now().getTime() + MINUTE), isRetry: false },
    ]);
    expect(await queue.getDelayedCount()).toBe(1);
  });
});
