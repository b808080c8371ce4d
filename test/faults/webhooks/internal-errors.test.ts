/**
 * Internal errors of one webhook must not affect other webhooks, or the worker and its shutdown.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { deleteEndpoint } from '../../../src/domain/messages/webhook/delete-endpoint.ts';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { sendTestEvent } from '../../../src/domain/messages/webhook/send-test-event.ts';
import { type Receiver, startReceiver } from '../../../tools/world/webhook-receiver.ts';
import type { TestContext } from '../../jobs/context.ts';
import { settle } from '../../webhooks/settle.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  recordExpired,
  type SubscribedMerchant,
  startWorld,
} from '../../webhooks/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: SubscribedMerchant;
let receiver: Receiver;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await world.close();
});

it('a secret that cannot be read fails the attempt, and the others continue', async () => {
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  await ctx.db.webhookEndpoint.update({
    where: { id: endpoint.id },
    data: { encryptedSecret: Buffer.from([1, 2, 3]) },
  });
  const other = await createSubscribedMerchant(ctx);
  await addEndpoint(ctx, other, `${receiver.url}/other`);
  await recordExpired(ctx, merchant);
  await recordExpired(ctx, other);
  const deliverer = new Deliverer(ctx);
  await settle(ctx, deliverer);
  await deliverer.close();
  expect(receiver.received.map(({ url }) => url)).toEqual(['/hook/other']);
  const [failed] = await ctx.db.delivery.findMany({ where: merchant.scope, include: { attempts: true } });
  expect(failed).toMatchObject({
    status: 'PENDING',
    failureCount: 1,
    attempts: [{ statusCode: null, error: 'not sent: the endpoint’s secret cannot be decrypted' }],
  });
});

it('a worker stops even if the database does not answer and nothing can be written', async () => {
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
  const brokenDb = ctx.db.$extends({
    client: { $transaction: () => Promise.reject(new Error('away')) },
  }) as unknown as TestContext['db'];
  const deliverer = new Deliverer({ ...ctx, db: brokenDb });
  const visit = deliverer.deliver(endpoint.id);
  await vi.waitFor(() => expect(ctx.logged.join('')).toContain('deliveries not settled'), 8000);
  // Only closing the deliverer drops the results that it could not write.
  await deliverer.close();
  await visit;
  expect(receiver.received).toHaveLength(1);
});

it('a test webhook is not left pending if its endpoint is removed at the same time', async () => {
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  await Promise.allSettled([
    deleteEndpoint(ctx, merchant.scope, endpoint.id),
    ...Array.from({ length: 6 }, () => sendTestEvent(ctx, merchant.scope, { endpointId: endpoint.id })),
  ]);
  expect(await ctx.db.delivery.count({ where: { status: 'PENDING' } })).toBe(0);
});

it('a test webhook has a position in the stream, and is sent to no other endpoint', async () => {
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  await addEndpoint(ctx, merchant, `${receiver.url}/other`);
  await sendTestEvent(ctx, merchant.scope, { endpointId: endpoint.id });
  await recordExpired(ctx, merchant);
  await relayEvents(ctx);
  const events = await ctx.db.event.findMany({ orderBy: { position: 'asc' }, include: { deliveries: true } });
  expect(events).toMatchObject([
    { type: 'endpoint.test', position: 1n, deliveries: [{ endpointId: endpoint.id }] },
    { type: 'subscription.expired', position: 2n, deliveries: [{}, {}] },
  ]);
});
