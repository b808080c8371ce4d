import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryLoop } from '../../../src/domain/webhook/delivery/delivery-loop.ts';
import type { TestContext } from '../../jobs/context.ts';
import { ok, type Receiver, startReceiver, status } from '../receiver.ts';
import { settle } from '../settle.ts';
import { addEndpoint, recordExpired, type Subscribed, startWorld, subscribedMerchant } from '../world.ts';

const HOUR = 3_600_000;

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: Subscribed;
let receiver: Receiver;
let loop: DeliveryLoop;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await subscribedMerchant(ctx);
  receiver = await startReceiver();
  loop = new DeliveryLoop(ctx);
});
afterEach(async () => {
  await loop.close();
  await receiver.close();
  await world.close();
});

it.each([
  ['answers 503', status(503)],
  ['answers 429 and asks for an hour', status(429, { 'retry-after': '3600' })],
])('a receiver that %s for 75 hours gets everything, in order', async (_, answer) => {
  const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
  const others = await Promise.all([merchant.subscribe(), merchant.subscribe()]);
  const subscriptions = [merchant.subscription, ...others];
  receiver.answer = answer;
  for (let hour = 0; hour < 75; hour++) {
    if (hour % 5 === 0) {
      for (const subscription of subscriptions) await recordExpired(ctx, { ...merchant, subscription });
    }
    await settle(ctx, loop);
    ctx.clock.advance(HOUR);
  }
  receiver.answer = ok;
  receiver.received.length = 0;
  for (let hour = 0; hour < 48; hour++) {
    await settle(ctx, loop);
    ctx.clock.advance(HOUR);
  }
  for (const { address } of subscriptions) {
    const got = receiver.received.filter(({ body }) => body.includes(address));
    expect(got.map(({ body }) => JSON.parse(body).sequence)).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
  }
  expect(await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })).toMatchObject({
    status: 'ENABLED',
    failingSince: null,
    slowdown: 0,
  });
});
