import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLive } from '../../src/live/live.ts';
import { LiveInterruptedError, SlowSubscriberError } from '../../src/live/live-subscription.ts';
import { type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

describe.each(storesHere('live updates'))('live updates with the store $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  const scope = { merchantId: randomUUID(), environment: 'TEST' as const };
  const message = (subscriptionId = randomUUID()) => ({ ...scope, subscriptionId });

  beforeAll(async () => {
    store = await open();
  });
  beforeEach(() => {
    ctx = testContext(store);
  });
  afterEach(() => ctx.close());
  afterAll(() => store.close());

  it('reach every subscriber of their topic and scope in order, and no others', async () => {
    const [one, two] = [
      ctx.live.subscribe('subscription.updated', scope),
      ctx.live.subscribe('subscription.updated', scope),
    ];
    const live = ctx.live.subscribe('subscription.updated', { ...scope, environment: 'LIVE' });
    const session = ctx.live.subscribe('checkout-session.updated', { sessionId: 'cs_1' });
    await Promise.all([one, two, live, session].map(({ ready }) => ready));
    const sent = [message(), message(), message()];
    for (const update of sent) await ctx.live.publish('subscription.updated', update);
    await ctx.live.publish('checkout-session.updated', { sessionId: 'cs_1' });
    for (const subscription of [one, two]) {
      for (const update of sent) {
        expect(await subscription.next()).toEqual({ value: update, done: false });
      }
    }
    expect(await session.next()).toEqual({ value: { sessionId: 'cs_1' }, done: false });
    await live.return();
    expect(await live.next()).toEqual({ value: undefined, done: true });
  });

  it('end for a subscriber that leaves its loop, and continue for the others', async () => {
    const [leaving, staying] = [
      ctx.live.subscribe('subscription.updated', scope),
      ctx.live.subscribe('subscription.updated', scope),
    ];
    await Promise.all([leaving.ready, staying.ready]);
    const [first, second] = [message(), message()];
    await ctx.live.publish('subscription.updated', first);
    for await (const payload of leaving) {
      expect(payload).toEqual(first);
      break;
    }
    await ctx.live.publish('subscription.updated', second);
    expect((await staying.next()).value).toEqual(first);
    expect((await staying.next()).value).toEqual(second);
  });

  it('fail a subscriber that does not read, instead of buffering everything for it', async () => {
    const [slow, quick] = [
      ctx.live.subscribe('subscription.updated', scope),
      ctx.live.subscribe('subscription.updated', scope),
    ];
    await Promise.all([slow.ready, quick.ready]);
    for (let sent = 0; sent <= 1000; sent++) {
      const next = quick.next();
      await ctx.live.publish('subscription.updated', message());
      await next;
    }
    await expect(slow.next()).rejects.toThrow(SlowSubscriberError);
    expect(await slow.next()).toEqual({ value: undefined, done: true });
  });

  it('fail a subscriber that waits when they are closed', async () => {
    const live = createLive(ctx.config, ctx.log);
    const subscription = live.subscribe('subscription.updated', scope);
    await subscription.ready;
    const waiting = expect(subscription.next()).rejects.toThrow(LiveInterruptedError);
    await live.close();
    await waiting;
  });

  it('fail their subscribers if the connection breaks, and work again for new ones', async () => {
    // Without Redis, live updates stay within one process, which has no connection to break.
    if (store.redisUrl === undefined) return;
    const subscription = ctx.live.subscribe('subscription.updated', scope);
    await subscription.ready;
    const waiting = expect(subscription.next()).rejects.toThrow(LiveInterruptedError);
    const killer = new Redis(store.redisUrl);
    await killer.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await killer.quit();
    await waiting;
    const newSubscription = ctx.live.subscribe('subscription.updated', scope);
    await newSubscription.ready;
    const sent = message();
    await ctx.live.publish('subscription.updated', sent);
    expect((await newSubscription.next()).value).toEqual(sent);
  });
});
