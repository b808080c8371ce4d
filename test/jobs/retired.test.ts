import type { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { retiredQueues } from '../../src/jobs/catalog.ts';
import { connectTransport } from '../../src/jobs/connect-transport.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { SOON } from '../support/soon.ts';
import { type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

describe.each(storesHere('two releases'))(
  'a worker that replaces one of the previous release, on $name',
  ({ open }) => {
    let store: OpenStore;
    let ctx: TestContext;

    beforeAll(async () => {
      store = await open();
      ctx = testContext(store);
    });
    afterAll(async () => {
      await ctx.close();
      await store.close();
    });

    it('removes its retired timers and their jobs, and runs the jobs that it added', async () => {
      const transport = await connectTransport(ctx.config, 'work', ctx.log);
      const retired = retiredQueues.map((name) => transport.queue(name) as Queue);
      const follow = transport.queue('transactions.follow') as Queue;
      const collect = transport.queue('payments.collect') as Queue;
      for (const queue of [...retired, follow]) {
        await queue.upsertJobScheduler(queue.name, { every: 1_000 }, { name: queue.name, data: {} });
      }
      for (const queue of retired) await queue.add(queue.name, {});
      await collect.add('payments.collect', { environment: 'LIVE', share: 3 }, { jobId: 'LIVE-3-1' });
      const payloads: unknown[] = [];
      const workers = await startWorkers(ctx, {
        'payments.collect': async (_, payload) => {
          payloads.push(payload);
        },
        'transactions.follow': async () => undefined,
      });
      for (const queue of retired) {
        expect(await queue.getJobScheduler(queue.name)).toBeUndefined();
        expect(await queue.getJobCountByTypes('waiting', 'delayed', 'active')).toBe(0);
      }
      expect(await follow.getJobScheduler('transactions.follow')).toBeUndefined();
      await vi.waitFor(() => expect(payloads).toEqual([{ environment: 'LIVE', share: 3 }]), SOON);
      await workers.close();
      await Promise.all([...retired, follow, collect].map((queue) => queue.close()));
      await transport.close();
    });
  },
);
