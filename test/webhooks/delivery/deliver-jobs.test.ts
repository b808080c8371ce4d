/** The jobs that deliver webhooks. Each visit of an endpoint has at most one at a time. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notifyRelay } from '../../../src/domain/messages/event/notify-relay.ts';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { dueEndpoints } from '../../../src/domain/messages/webhook/delivery/due-endpoints.ts';
import { enqueueDeliveries } from '../../../src/domain/messages/webhook/delivery/enqueue-deliveries.ts';
import {
  enqueueDueDeliveries,
  newEnqueueProgress,
} from '../../../src/domain/messages/webhook/delivery/enqueue-due-deliveries.ts';
import { updateEndpoint } from '../../../src/domain/messages/webhook/update-endpoint.ts';
import { startWorkers, type Workers } from '../../../src/jobs/worker.ts';
import { ok, type Receiver, startReceiver, status } from '../../../tools/world/webhook-receiver.ts';
import { deliverWebhooksJob } from '../../../workers/deliver-webhooks.ts';
import { relayEventsJob } from '../../../workers/relay-events.ts';
import { type TestContext, testContext } from '../../jobs/context.ts';
import { type OpenStore, storesHere } from '../../jobs/stores.ts';
import { SOON } from '../../support/soon.ts';
import { addEndpoint, createSubscribedMerchant, recordExpired, type SubscribedMerchant } from '../world.ts';

const LINES = 24;

interface Received {
  readonly sequence: number;
  readonly data: { readonly subscriptionId: string };
}

describe.each(storesHere('jobs of webhooks'))('jobs of webhooks on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let merchant: SubscribedMerchant;
  let receiver: Receiver;
  let endpointId: string;
  let started: { readonly deliverer: Deliverer; readonly workers: Workers }[];

  beforeEach(async () => {
    store = await open();
    ctx = testContext({ ...store, webhookHostsAllowed: ['127.0.0.1'] });
    receiver = await startReceiver();
    merchant = await createSubscribedMerchant(ctx);
    ({ id: endpointId } = (await addEndpoint(ctx, merchant, receiver.url)).endpoint);
    started = [];
  });
  afterEach(async () => {
    await stop();
    await ctx.close();
    await receiver.close();
    await store.close();
  });

  async function start(): Promise<void> {
    const deliverer = new Deliverer(ctx);
    const workers = await startWorkers(ctx, {
      'events.relay': relayEventsJob(deliverer),
      'webhooks.deliver': deliverWebhooksJob(deliverer),
    });
    started.push({ deliverer, workers });
  }
  async function stop(): Promise<void> {
    const stopping = started.splice(0);
    await Promise.all(stopping.flatMap(({ deliverer, workers }) => [deliverer.close(), workers.close()]));
  }
  async function record(subscribed = merchant): Promise<void> {
    await recordExpired(ctx, subscribed);
    await notifyRelay(ctx);
  }
  const createLine = async () => ({ ...merchant, subscription: await merchant.subscribe() });
  const countJobs = async (state: string) => {
    const depths = await ctx.jobs.depths();
    return depths.find((depth) => depth.job === 'webhooks.deliver' && depth.state === state)?.count;
  };
  const waitForJobs = (state: string, count: number) =>
    vi.waitFor(async () => expect(await countJobs(state)).toBe(count), SOON);
  const waitForRequests = (count: number) =>
    vi.waitFor(() => expect(receiver.received).toHaveLength(count), SOON);

  it('end if nothing waits, and are delayed until a retry is due', async () => {
    await start();
    await record();
    await waitForRequests(1);
    await waitForJobs('active', 0);
    expect([await countJobs('waiting'), await countJobs('delayed')]).toEqual([0, 0]);
    receiver.answer = status(503);
    await record();
    await waitForRequests(2);
    await waitForJobs('delayed', 1);
    expect([await countJobs('waiting'), await countJobs('active')]).toEqual([0, 0]);
  });

  it('run at once for new deliveries while one is delayed until a retry', async () => {
    await start();
    receiver.answer = status(503);
    await record();
    await waitForRequests(1);
    await waitForJobs('delayed', 1);
    receiver.answer = ok;
    await record(await createLine());
    await waitForRequests(2);
    // The job of the retry is still there.
    await waitForJobs('delayed', 1);
    ctx.clock.advance(6_000);
    await enqueueDeliveries(ctx, [{ endpointId }]);
    await waitForRequests(3);
    await waitForJobs('delayed', 0);
  });

  it('are one per visit at a time, also with several processes', async () => {
    const answers: (() => void)[] = [];
    receiver.answer = (response) => answers.push(() => ok(response));
    await start();
    await start();
    await record();
    await vi.waitFor(() => expect(answers).toHaveLength(1), SOON);
    for (let time = 0; time < 5; time++) await enqueueDeliveries(ctx, [{ endpointId }]);
    expect([await countJobs('active'), await countJobs('waiting'), await countJobs('delayed')]).toEqual([
      1, 0, 0,
    ]);
    // The same job delivers the later events.
    await record(await createLine());
    await vi.waitFor(() => expect(answers).toHaveLength(2), SOON);
    expect(await countJobs('active')).toBe(1);
    for (const answer of answers) answer();
    await waitForJobs('active', 0);
  });

  /** Keeps requests open until they are answered, and counts them. */
  function holdRequests() {
    const held: (() => void)[] = [];
    const counts = { open: 0, most: 0 };
    receiver.answer = (response) => {
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      held.push(() => {
        counts.open -= 1;
        ok(response);
      });
    };
    const answerAll = () => {
      for (const answer of held.splice(0)) answer();
    };
    return { counts, answerAll };
  }
  /** Records two events in each of `LINES` lines. */
  async function recordLines(): Promise<void> {
    const lines = await Promise.all(Array.from({ length: LINES }, createLine));
    for (const line of [...lines, ...lines]) await recordExpired(ctx, line);
    await notifyRelay(ctx);
  }

  it('visit an endpoint together up to its maximum, and keep the order of lines', async () => {
    await updateEndpoint(ctx, merchant.scope, endpointId, { maxConcurrency: 20 });
    await start();
    await start();
    const { counts, answerAll } = holdRequests();
    await recordLines();
    // The visits have 8, 8 and 4 attempts.
    await vi.waitFor(() => expect(counts.open).toBe(20), SOON);
    expect(await countJobs('active')).toBe(3);
    await vi.waitFor(() => {
      answerAll();
      expect(receiver.received).toHaveLength(2 * LINES);
    }, SOON);
    expect(counts.most).toBe(20);
    const received = receiver.received.map(({ body }) => JSON.parse(body) as Received);
    const lines = Map.groupBy(received, ({ data }) => data.subscriptionId);
    expect([...lines.values()].map((line) => line.map(({ sequence }) => sequence))).toEqual(
      Array.from({ length: LINES }, () => [1, 2]),
    );
    answerAll();
    await waitForJobs('active', 0);
  });

  it('keep to half of the maximum together once the endpoint was overloaded', async () => {
    await updateEndpoint(ctx, merchant.scope, endpointId, { maxConcurrency: 20 });
    await start();
    await start();
    receiver.answer = status(429);
    await record();
    await waitForJobs('delayed', 1);
    const { counts, answerAll } = holdRequests();
    await recordLines();
    await vi.waitFor(async () => expect(await ctx.db.outbox.count()).toBe(0), SOON);
    ctx.clock.advance(1_000);
    await enqueueDeliveries(ctx, [{ endpointId }]);
    await vi.waitFor(() => expect(counts.open).toBe(10), SOON);
    expect(await countJobs('active')).toBe(2);
    expect(counts.most).toBe(10);
    receiver.answer = ok;
    answerAll();
    await waitForRequests(2 * LINES + 1);
  });

  it('are delayed until the end of a pause, even for new deliveries', async () => {
    await start();
    receiver.answer = status(429, { 'retry-after': '60' });
    await record();
    await waitForRequests(1);
    await waitForJobs('delayed', 1);
    receiver.answer = ok;
    await record(await createLine());
    await vi.waitFor(async () => expect(await ctx.db.outbox.count()).toBe(0), SOON);
    expect(await countJobs('delayed')).toBe(1);
    expect(receiver.received).toHaveLength(1);
    ctx.clock.advance(60_000);
    await enqueueDeliveries(ctx, [{ endpointId }]);
    await waitForRequests(3);
  });

  it('are added when an endpoint is enabled again', async () => {
    await start();
    const setStatus = (state: 'ENABLED' | 'DISABLED') =>
      updateEndpoint(ctx, merchant.scope, endpointId, { status: state });
    receiver.answer = status(503);
    await record();
    await waitForRequests(1);
    // The outcome of the first attempt sets the time of the second one.
    await waitForJobs('delayed', 1);
    await setStatus('DISABLED');
    receiver.answer = ok;
    await setStatus('ENABLED');
    await waitForRequests(2);
  });

  it('are released by a worker that stops', async () => {
    const attempted = Promise.withResolvers<void>();
    // The receiver never answers.
    receiver.answer = () => attempted.resolve();
    await start();
    await record();
    await attempted.promise;
    const [first] = started.splice(0);
    await Promise.all([first?.deliverer.close(0), first?.workers.close()]);
    receiver.answer = ok;
    await start();
    await waitForRequests(2);
    await waitForJobs('active', 0);
  });

  it('are added again if their store loses them, and no others are added', async () => {
    const idleMerchant = await createSubscribedMerchant(ctx);
    await addEndpoint(ctx, idleMerchant, receiver.url);
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    await store.wipe();
    expect(await countJobs('waiting')).toBe(0);
    await enqueueDueDeliveries(ctx);
    await enqueueDueDeliveries(ctx);
    expect(await countJobs('waiting')).toBe(1);
    await start();
    await waitForRequests(1);
  });

  it('are added for a bounded number of endpoints at a time', async () => {
    const all = [endpointId];
    for (let count = 0; count < 4; count++) {
      all.push((await addEndpoint(ctx, merchant, receiver.url)).endpoint.id);
    }
    all.sort();
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const first = await dueEndpoints(ctx, undefined, 3);
    expect(first.endpointIds).toEqual(all.slice(0, 3));
    const second = await dueEndpoints(ctx, first.last, 3);
    expect(second.endpointIds).toEqual(all.slice(3));
    expect((await dueEndpoints(ctx, second.last, 3)).endpointIds).toEqual(all.slice(0, 3));
  });

  it('are added for all endpoints, whichever endpoint a scheduler begins with', async () => {
    const starts = Array.from({ length: 3 }, () => newEnqueueProgress().after);
    expect(new Set(starts).size).toBe(3);
    const all = [endpointId];
    for (let count = 0; count < 4; count++) {
      all.push((await addEndpoint(ctx, merchant, receiver.url)).endpoint.id);
    }
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const progress = { after: all.toSorted()[2] as string };
    await enqueueDueDeliveries(ctx, progress);
    expect(await countJobs('waiting')).toBe(all.length);
  });
});
