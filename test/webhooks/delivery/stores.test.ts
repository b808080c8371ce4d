/**
 * Events that one process records and another one relays and delivers, on every store for jobs and
 * live updates.
 */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notifyRelay } from '../../../src/domain/messages/event/notify-relay.ts';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { resendDelivery } from '../../../src/domain/messages/webhook/resend-delivery.ts';
import { startWorkers, type Workers } from '../../../src/jobs/worker.ts';
import { type Receiver, startReceiver } from '../../../tools/world/webhook-receiver.ts';
import { deliverWebhooksJob } from '../../../workers/deliver-webhooks.ts';
import { relayEventsJob } from '../../../workers/relay-events.ts';
import { type TestContext, testContext } from '../../jobs/context.ts';
import { type OpenStore, storesHere } from '../../jobs/stores.ts';
import { SOON } from '../../support/soon.ts';
import { addEndpoint, createSubscribedMerchant, recordExpired, type SubscribedMerchant } from '../world.ts';

describe.each(storesHere('webhooks'))('webhooks on $name', ({ open }) => {
  let store: OpenStore;
  let api: TestContext;
  let worker: TestContext;
  let deliverer: Deliverer;
  let workers: Workers;
  let merchant: SubscribedMerchant;
  let receiver: Receiver;

  beforeEach(async () => {
    store = await open();
    [api, worker] = [0, 1].map(() => testContext({ ...store, webhookHostsAllowed: ['127.0.0.1'] })) as [
      TestContext,
      TestContext,
    ];
    deliverer = new Deliverer(worker);
    workers = await startWorkers(worker, {
      'events.relay': relayEventsJob(deliverer),
      'webhooks.deliver': deliverWebhooksJob(deliverer),
    });
    receiver = await startReceiver();
    merchant = await createSubscribedMerchant(api);
    await addEndpoint(api, merchant, receiver.url);
  });
  afterEach(async () => {
    await Promise.all([workers.close(), deliverer.close()]);
    await Promise.all([api.close(), worker.close()]);
    await receiver.close();
    await store.close();
  });

  const sequences = () => receiver.received.map(({ body }) => JSON.parse(body).sequence as number);
  const record = async () => {
    await recordExpired(api, merchant);
    await notifyRelay(api);
  };

  it('continue in order, even when the store loses everything', async () => {
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1]), SOON);
    await store.wipe();
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2]), SOON);
    // Events without a notification are found by the timers, and precede later ones.
    await recordExpired(api, merchant);
    await store.wipe();
    await record();
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]), SOON);
  });

  it('are resent on request, and published to subscribers', async () => {
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
