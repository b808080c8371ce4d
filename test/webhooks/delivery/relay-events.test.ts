import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordEvent } from '../../../src/domain/messages/event/record-event.ts';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { updateEndpoint } from '../../../src/domain/messages/webhook/update-endpoint.ts';
import type { TestContext } from '../../jobs/context.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  recordExpired,
  type SubscribedMerchant,
  startWorld,
} from '../world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: SubscribedMerchant;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
});
afterEach(() => world.close());

const fail = () => Promise.reject(new Error('killed'));
const countUnrelayed = () => ctx.db.event.count({ where: { relayedAt: null } });

describe('recording an event', () => {
  it('numbers events per subscription without gaps, with concurrent writers', async () => {
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

  it('leaves nothing if its transaction is rolled back', async () => {
    const failing = ctx.db.$transaction(async (tx) => {
      await recordEvent(tx, {
        ...merchant.scope,
        type: 'subscription.expired',
        subscriptionId: merchant.subscription.id,
        data: {
          subscriptionId: 'x',
          customer: { email: '', customerId: null, walletAddress: '' },
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
  it('creates a delivery for every endpoint that accepts the event type', async () => {
    const stranger = await createSubscribedMerchant(ctx);
    const [all, expired] = await Promise.all([
      addEndpoint(ctx, merchant, 'https://a.example/'),
      addEndpoint(ctx, merchant, 'https://b.example/', ['subscription.expired']),
      addEndpoint(ctx, merchant, 'https://c.example/', ['subscription.created']),
      addEndpoint(ctx, { scope: { ...merchant.scope, environment: 'LIVE' as 'TEST' } }, 'https://d.example/'),
      addEndpoint(ctx, stranger, 'https://e.example/'),
    ]);
    const disabled = await addEndpoint(ctx, merchant, 'https://f.example/');
    await updateEndpoint(ctx, merchant.scope, disabled.endpoint.id, { status: 'DISABLED' });
    const event = await recordExpired(ctx, merchant);
    await relayEvents(ctx);
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
    expect(await countUnrelayed()).toBe(0);
  });

  it('publishes to live subscribers of the merchant', async () => {
    const events = ctx.live.subscribe('event.recorded', merchant.scope);
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    expect((await events.next()).value).toEqual(merchant.scope);
  });

  it('loses and duplicates nothing when several relays run at the same time', async () => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    const count = 1200;
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
    await Promise.all([1, 2, 3].map(() => relayEvents(ctx)));
    expect(await countUnrelayed()).toBe(0);
    const deliveries = await ctx.db.delivery.findMany();
    expect(deliveries).toHaveLength(count);
    // The ids are UUIDs of version 7 (RFC 9562) with the machine's time.
    for (const { id } of deliveries) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
      const ageMs = Date.now() - Number.parseInt(id.replace('-', '').slice(0, 12), 16);
      expect(ageMs).toBeGreaterThanOrEqual(0);
      expect(ageMs).toBeLessThan(3_600_000);
    }
    // All deliveries are in one line, and only the first in the line has a time.
    const first = await ctx.db.delivery.findMany({ where: { nextAttemptAt: { not: null } } });
    expect(first).toMatchObject([{ sequence: 1 }]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('changes nothing when it crashes at statement %i', async (fatal) => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    await recordExpired(ctx, merchant);
    let statement = 0;
    const dyingDb = ctx.db.$extends({
      query: {
        $allOperations: ({ args, query }) => (++statement === fatal ? fail() : query(args)),
      },
    }) as unknown as TestContext['db'];
    await expect(relayEvents({ ...ctx, db: dyingDb })).rejects.toThrow('killed');
    expect(await countUnrelayed()).toBe(1);
    expect(await ctx.db.delivery.count()).toBe(0);
    await relayEvents(ctx);
    expect(await ctx.db.delivery.count()).toBe(1);
  });

  it('leaves its deliveries for the workers when it crashes after its transaction', async () => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    await recordExpired(ctx, merchant);
    const live: TestContext['live'] = { ...ctx.live, publish: fail };
    await expect(relayEvents({ ...ctx, live })).rejects.toThrow('killed');
    expect(await ctx.db.delivery.findMany()).toMatchObject([{ nextAttemptAt: ctx.clock.now() }]);
  });

  it('puts later deliveries behind waiting ones, or first if none wait', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const line = () =>
      ctx.db.delivery.findMany({ where: { endpointId: endpoint.id }, orderBy: { sequence: 'asc' } });
    expect(await line()).toMatchObject([{ nextAttemptAt: ctx.clock.now() }, { nextAttemptAt: null }]);
    await ctx.db.delivery.updateMany({ data: { status: 'SUCCEEDED', nextAttemptAt: null } });
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    expect((await line()).at(-1)).toMatchObject({ sequence: 3, nextAttemptAt: ctx.clock.now() });
  });
});
