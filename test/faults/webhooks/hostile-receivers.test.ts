/** Receivers that keep connections open must not delay the webhooks of other merchants. */

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { catalog } from '../../../src/jobs/catalog.ts';
import { startWorkers, type Workers } from '../../../src/jobs/worker.ts';
import { deliverWebhooksJob } from '../../../workers/deliver-webhooks.ts';
import { SOON } from '../../support/soon.ts';
import {
  answers,
  dribbles,
  type HostileReceiver,
  startHostile,
} from '../../webhooks/post/hostile-receivers.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  type DeliveryWorld,
  recordExpired,
  type SubscribedMerchant,
  startDeliveryWorld,
} from '../../webhooks/world.ts';

const ENDPOINTS = 20;
/** Maximum concurrent deliveries of one endpoint. */
const LINES = 32;
const MAX_IN_FLIGHT = 512;
vi.setConfig({ testTimeout: 120_000 });

let world: DeliveryWorld;
let receiver: HostileReceiver;
let workers: Workers;
beforeEach(async () => {
  world = await startDeliveryWorld();
  const { ctx, deliverer } = world;
  workers = await startWorkers(ctx, { 'webhooks.deliver': deliverWebhooksJob(deliverer) });
});
afterEach(async () => {
  await Promise.all([workers.close(0), world.deliverer.close(0)]);
  await receiver.close();
  await world.close();
});

/** Creates a merchant with more due webhooks than a worker sends at the same time. */
async function createHostileMerchant(): Promise<SubscribedMerchant> {
  const { ctx } = world;
  const hostile = await createSubscribedMerchant(ctx);
  for (let index = 0; index < ENDPOINTS; index++) {
    await addEndpoint(ctx, hostile, `http://127.0.0.1:${receiver.port}/${index}`);
  }
  for (let line = 0; line < LINES; line++) {
    await recordExpired(ctx, { ...hostile, subscription: await hostile.subscribe() });
  }
  return hostile;
}

/** Expects another merchant's webhook to arrive while the hostile ones are in flight. */
async function expectOthersDelivered(): Promise<void> {
  const { ctx, merchant, receiver: honest } = world;
  await addEndpoint(ctx, merchant, honest.url);
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
  await vi.waitFor(() => expect(honest.received).toHaveLength(1), SOON);
}

it.each([
  ['answer nothing', answers()],
  ['dribble their headers', dribbles('HTTP/1.1 200 OK\r\nx: ', 'y')],
])('two merchants whose servers %s leave others a third of the connections', async (_, behave) => {
  receiver = await startHostile(behave);
  await createHostileMerchant();
  await createHostileMerchant();
  await relayEvents(world.ctx);
  await vi.waitFor(() => expect(receiver.open()).toBeGreaterThan(MAX_IN_FLIGHT / 4), SOON);
  await expectOthersDelivered();
  expect(receiver.open()).toBeGreaterThan(MAX_IN_FLIGHT / 4);
  expect(receiver.open()).toBeLessThan(MAX_IN_FLIGHT);
});

it.each([
  [
    '101',
    answers('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'answered 101: other protocols are not supported',
  ],
  [
    '103 repeatedly',
    answers('HTTP/1.1 103 E\r\n\r\n'.repeat(20)),
    'answered with more than 16 interim responses (1xx)',
  ],
])('640 webhooks to servers that answer %s are attempted beside others', async (_, behave, error) => {
  const { ctx } = world;
  receiver = await startHostile(behave);
  const hostile = await createHostileMerchant();
  await relayEvents(ctx);
  await expectOthersDelivered();
  const where = { delivery: hostile.scope, error };
  await vi.waitFor(
    async () => expect(await ctx.db.deliveryAttempt.count({ where })).toBe(ENDPOINTS * LINES),
    { ...SOON, interval: 100 },
  );
});

it('endpoints that never answer delay no others', async () => {
  const { ctx } = world;
  receiver = await startHostile(answers());
  const merchants = Math.ceil((catalog['webhooks.deliver'].concurrency + 1) / ENDPOINTS);
  for (let count = 0; count < merchants; count++) {
    const hostile = await createSubscribedMerchant(ctx);
    const { endpoint } = await addEndpoint(ctx, hostile, `http://127.0.0.1:${receiver.port}`);
    await ctx.db.webhookEndpoint.createMany({
      data: Array.from({ length: ENDPOINTS - 1 }, () => ({ ...endpoint, id: randomUUID() })),
    });
    await recordExpired(ctx, hostile);
  }
  await relayEvents(ctx);
  await vi.waitFor(() => expect(receiver.open()).toBeGreaterThan(MAX_IN_FLIGHT / 2), SOON);
  // Each endpoint is visited, and most get no connection.
  await vi.waitFor(
    async () => {
      const depths = await ctx.jobs.depths();
      expect(depths).toContainEqual({ job: 'webhooks.deliver', state: 'waiting', count: 0 });
    },
    { ...SOON, interval: 250 },
  );
  await expectOthersDelivered();
});
