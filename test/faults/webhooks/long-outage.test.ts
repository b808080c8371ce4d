import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok, status } from '../../../tools/world/webhook-receiver.ts';
import { settle } from '../../webhooks/settle.ts';
import { addEndpoint, type DeliveryWorld, recordExpired, startDeliveryWorld } from '../../webhooks/world.ts';

const HOUR = 3_600_000;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await startDeliveryWorld();
});
afterEach(() => world.close());

it.each([
  ['answers 503', status(503)],
  ['answers 429 and asks for an hour', status(429, { 'retry-after': '3600' })],
])('a receiver that %s for 75 hours then gets every event, in order', async (_, answer) => {
  const { ctx, merchant, receiver, deliverer } = world;
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  const others = await Promise.all([merchant.subscribe(), merchant.subscribe()]);
  const subscriptions = [merchant.subscription, ...others];
  receiver.answer = answer;
  for (let hour = 0; hour < 75; hour++) {
    if (hour % 5 === 0) {
      for (const subscription of subscriptions) await recordExpired(ctx, { ...merchant, subscription });
    }
    await settle(ctx, deliverer);
    ctx.clock.advance(HOUR);
  }
  receiver.answer = ok;
  receiver.received.length = 0;
  for (let hour = 0; hour < 48; hour++) {
    await settle(ctx, deliverer);
    ctx.clock.advance(HOUR);
  }
  for (const { address } of subscriptions) {
    const received = receiver.received.filter(({ body }) => body.includes(address));
    expect(received.map(({ body }) => JSON.parse(body).sequence)).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
  }
  expect(await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })).toMatchObject({
    status: 'ENABLED',
    failingSince: null,
    slowdown: 0,
  });
});
