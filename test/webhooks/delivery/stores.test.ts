/** Events of one process, relayed and delivered by another, on every store that jobs and live updates can be kept on. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nudgeRelay } from '../../../src/domain/event/nudge-relay.ts';
import { DeliveryLoop } from '../../../src/domain/webhook/delivery/delivery-loop.ts';
import { resendDelivery } from '../../../src/domain/webhook/delivery/resend-delivery.ts';
import { startWorkers, type Workers } from '../../../src/jobs/worker.ts';
import { relayEventsJob } from '../../../workers/relay-events.ts';
import { type TestContext, testContext } from '../../jobs/context.ts';
import { type OpenStore, storesHere } from '../../jobs/stores.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { addEndpoint, recordExpired, type Subscribed, subscribedMerchant } from '../world.ts';

const SOON = { timeout: 15_000, interval: 20 };

describe.each(storesHere('webhooks'))('webhooks on $name', ({ open }) => {
  let store: OpenStore;
  let api: TestContext;
  let worker: TestContext;
  let loop: DeliveryLoop;
  let workers: Workers;
  let merchant: Subscribed;
  let receiver: Receiver;

  beforeEach(async () => {
    store = await open();
    [api, worker] = [0, 1].map(() => testContext({ ...store, webhookHostsAllowed: ['127.0.0.1'] })) as [
      TestContext,
      TestContext,
    ];
    loop = new DeliveryLoop(worker);
    workers = await startWorkers(worker, { 'events.relay': relayEventsJob(loop) });
    receiver = await startReceiver();
    merchant = await subscribedMerchant(api);
    await addEndpoint(api, merchant, receiver.url);
  });
  afterEach(async () => {
    await Promise.all([workers.close(), loop.close()]);
    await Promise.all([api.close(), worker.close()]);
    await receiver.close();
    await store.close();
  });

  const sequences = () => receiver.received.map(({ body }) => JSON.parse(body).sequence as number);
  const record = async () => {
    await recordExpired(api, merchant);
    await nudgeRelay(api);
  };

  it('go on in order, also when the store loses everything', async () => {
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1]), SOON);
    await store.wipe();
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2]), SOON);
    // What nobody told of is found by the timers, and comes before what follows.
    await recordExpired(api, merchant);
    await store.wipe();
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]), SOON);
  });

  it('are sent again, and those who listen are told', async () => {
    await record();
    await vi.waitFor(
      async () => expect(await api.db.delivery.findMany()).toMatchObject([{ status: 'SUCCEEDED' }]),
      SOON,
    );
    const [delivery] = await api.db.delivery.findMany();
    const resent = api.live.subscribe('event.resent', merchant.scope);
    await resent.ready;
    await resendDelivery(api, merchant.scope, delivery?.id ?? '');
    expect((await resent.next()).value).toEqual({ ...merchant.scope, eventId: delivery?.eventId });
    await vi.waitFor(() => expect(sequences()).toEqual([1, 1]), SOON);
    await resent.return();
  });
});
