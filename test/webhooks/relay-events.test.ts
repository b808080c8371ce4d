import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordEvent } from '../../src/domain/event/record-event.ts';
import { relayEvents } from '../../src/domain/event/relay-events.ts';
import { sweepDeliveries } from '../../src/domain/webhook/sweep-deliveries.ts';
import type { TestContext } from '../jobs/context.ts';
import { addEndpoint, recordExpired, type Subscribed, startWorld, subscribedMerchant } from './world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: Subscribed;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await subscribedMerchant(ctx);
});
afterEach(() => world.close());

/** Jobs that are only written down. */
function notedJobs() {
  const handed: string[] = [];
  const jobs: TestContext['jobs'] = {
    add: async () => undefined,
    addMany: async (_, each) => {
      handed.push(...each.map(({ jobId }) => jobId ?? ''));
    },
    close: async () => undefined,
  };
  return { handed, jobs };
}

const killed = () => Promise.reject(new Error('killed'));
const unrelayed = () => ctx.db.event.count({ where: { relayedAt: null } });

describe('recording an event', () => {
  it('counts per subscription without gap or double, however many write at once', async () => {
    const other = await merchant.subscribe();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        recordExpired(ctx, index % 2 ? merchant : { ...merchant, subscription: other }),
      ),
    );
    for (const { id } of [merchant.subscription, other]) {
      const events = await ctx.db.event.findMany({
        where: { subscriptionId: id },
        orderBy: { sequence: 'asc' },
      });
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    }
  });

  it('leaves nothing where its transaction is rolled back', async () => {
    const failing = ctx.db.$transaction(async (tx) => {
      await recordEvent(tx, {
        ...merchant.scope,
        type: 'subscription.expired',
        subscriptionId: merchant.subscription.id,
        data: {
          subscriptionId: 'x',
          customer: { email: '', walletAddress: '' },
          failureCount: 3,
          metadata: {},
        },
        at: ctx.clock.now(),
      });
      throw new Error('the change itself failed');
    });
    await expect(failing).rejects.toThrow('the change itself failed');
    expect(await ctx.db.event.count()).toBe(0);
    expect((await recordExpired(ctx, merchant)).sequence).toBe(1);
  });
});

describe('relaying events', () => {
  it('makes a delivery for every endpoint of that merchant and environment that wants the event', async () => {
    const stranger = await subscribedMerchant(ctx);
    const [all, expired] = await Promise.all([
      addEndpoint(ctx, merchant, 'https://a.example/'),
      addEndpoint(ctx, merchant, 'https://b.example/', ['subscription.expired']),
      addEndpoint(ctx, merchant, 'https://c.example/', ['subscription.created']),
      addEndpoint(ctx, { scope: { ...merchant.scope, environment: 'LIVE' as 'TEST' } }, 'https://d.example/'),
      addEndpoint(ctx, stranger, 'https://e.example/'),
    ]);
    const disabled = await addEndpoint(ctx, merchant, 'https://f.example/');
    await ctx.db.webhookEndpoint.update({
      where: { id: disabled.endpoint.id },
      data: { status: 'DISABLED' },
    });
    const event = await recordExpired(ctx, merchant);
    const { handed, jobs } = notedJobs();
    await relayEvents({ ...ctx, jobs });
    const deliveries = await ctx.db.delivery.findMany();
    expect(deliveries.map(({ endpointId }) => endpointId).toSorted()).toEqual(
      [all.endpoint.id, expired.endpoint.id].toSorted(),
    );
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({
        eventId: event.id,
        subscriptionId: merchant.subscription.id,
        sequence: 1,
        status: 'PENDING',
        nextAttemptAt: ctx.clock.now(),
      });
    }
    expect(handed.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
    expect(await unrelayed()).toBe(0);
  });

  it('tells live listeners of the merchant', async () => {
    const events = ctx.live.subscribe('event.recorded', merchant.scope);
    const subscriptions = ctx.live.subscribe('subscription.updated', merchant.scope);
    const event = await recordExpired(ctx, merchant);
    await relayEvents({ ...ctx, ...notedJobs() });
    expect((await events.next()).value).toEqual({ ...merchant.scope, eventId: event.id });
    expect((await subscriptions.next()).value).toEqual({
      ...merchant.scope,
      subscriptionId: merchant.subscription.id,
    });
  });

  it('loses and doubles nothing when several relay at once', async () => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    const count = 250;
    await ctx.db.event.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        ...merchant.scope,
        type: 'subscription.expired',
        subscriptionId: merchant.subscription.id,
        sequence: index + 1,
        data: {},
        createdAt: ctx.clock.now(),
      })),
    });
    const { handed, jobs } = notedJobs();
    await Promise.all([1, 2, 3].map(() => relayEvents({ ...ctx, jobs })));
    expect(await unrelayed()).toBe(0);
    expect(await ctx.db.delivery.count()).toBe(count);
    expect(new Set(handed).size).toBe(count);
    expect(handed).toHaveLength(count);
  });

  it.each([
    [
      'reading endpoints',
      () => ctx.db.$extends({ query: { webhookEndpoint: { $allOperations: killed } } }) as unknown,
    ],
    [
      'writing deliveries',
      () => ctx.db.$extends({ query: { delivery: { $allOperations: killed } } }) as unknown,
    ],
    ['marking events', () => ctx.db.$extends({ query: { event: { updateMany: killed } } }) as unknown],
  ])('leaves everything as it was when it dies at %s', async (_, dyingDb) => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    await recordExpired(ctx, merchant);
    const dying = dyingDb() as TestContext['db'];
    await expect(relayEvents({ ...ctx, ...notedJobs(), db: dying })).rejects.toThrow('killed');
    expect(await unrelayed()).toBe(1);
    expect(await ctx.db.delivery.count()).toBe(0);
    await relayEvents({ ...ctx, ...notedJobs() });
    expect(await ctx.db.delivery.count()).toBe(1);
  });

  it('leaves its deliveries to the sweep when it dies after its transaction', async () => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    await recordExpired(ctx, merchant);
    const live: TestContext['live'] = { ...ctx.live, publish: killed };
    await expect(relayEvents({ ...ctx, live })).rejects.toThrow('killed');
    const { handed, jobs } = notedJobs();
    await relayEvents({ ...ctx, jobs });
    expect(handed).toEqual([]);
    await sweepDeliveries({ ...ctx, jobs });
    expect(handed).toEqual((await ctx.db.delivery.findMany()).map(({ id }) => id));
    expect(handed).toHaveLength(1);
  });
});
