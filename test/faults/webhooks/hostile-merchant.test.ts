/** A merchant with too many endpoints or deliveries must not affect others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { deleteEndpoint } from '../../../src/domain/messages/webhook/delete-endpoint.ts';
import { cancelUnwanted } from '../../../src/domain/messages/webhook/delivery/cancel-unwanted.ts';
import { lockLines } from '../../../src/domain/messages/webhook/delivery/delivery-lines.ts';
import { purgeDeliveries } from '../../../src/domain/messages/webhook/delivery/purge-deliveries.ts';
import { replayDeliveries } from '../../../src/domain/messages/webhook/replay-deliveries.ts';
import { updateEndpoint } from '../../../src/domain/messages/webhook/update-endpoint.ts';
import type { TestContext } from '../../jobs/context.ts';
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

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
});
afterEach(() => world.close());

/** Records events of the merchant's only subscription, older than all others. */
async function record(count: number, { relayed }: { relayed: boolean }) {
  await ctx.db.$executeRaw`
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt", "relayedAt")
    SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${merchant.scope.merchantId}::uuid, 'TEST',
      'subscription.expired', ${merchant.subscription.id}::uuid, n, '{}', ${ctx.clock.now()},
      CASE WHEN ${relayed} THEN ${ctx.clock.now()}::timestamptz END
    FROM generate_series(1, ${count}::int) n`;
}

/** Creates a line of `count` waiting deliveries. */
async function createLine(count: number, endpointId: string) {
  await record(count, { relayed: true });
  await ctx.db.$executeRaw`
    INSERT INTO "Delivery" ("id", "merchantId", "environment", "eventId", "endpointId", "subscriptionId", "sequence", "nextAttemptAt", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment", "id", ${endpointId}::uuid, "subscriptionId", "sequence",
      CASE WHEN "sequence" = 1 THEN "createdAt" END, "createdAt" FROM "Event"`;
}

const deliveriesWithTime = () => ctx.db.delivery.findMany({ where: { nextAttemptAt: { not: null } } });
const countByStatus = async () =>
  (await ctx.db.delivery.groupBy({ by: ['status'], _count: true })).map(({ status, _count }) => [
    status,
    _count,
  ]);

describe('many endpoints', () => {
  it('make the relay’s batches smaller, and do not stop others’ events', async () => {
    await ctx.db.$executeRaw`
      INSERT INTO "WebhookEndpoint" ("id", "merchantId", "environment", "url", "encryptedSecret")
      SELECT gen_random_uuid(), ${merchant.scope.merchantId}::uuid, 'TEST', 'https://a.example/' || n, '\\x01'
      FROM generate_series(1, 600) n`;
    await record(50, { relayed: false });
    const other = await createSubscribedMerchant(ctx);
    await addEndpoint(ctx, other, 'https://b.example/');
    await recordExpired(ctx, other);
    await relayEvents(ctx);
    expect(await ctx.db.event.count({ where: { relayedAt: null } })).toBe(0);
    expect(await ctx.db.delivery.count({ where: other.scope })).toBe(1);
    expect(await ctx.db.delivery.count()).toBe(50 * 600 + 1);
    const batches = await ctx.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM "Delivery" GROUP BY xmin::text`;
    expect(Math.max(...batches.map(({ count }) => count))).toBeLessThanOrEqual(10_000);
  });

  it('that make a batch too slow for the database halve it until it succeeds', async () => {
    await addEndpoint(ctx, merchant, 'https://a.example/');
    await record(100, { relayed: false });
    // Fails as `statement_timeout` does, but without the wait.
    await ctx.db.$executeRawUnsafe(`
      CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM made) > 30 THEN RAISE EXCEPTION USING ERRCODE = 'query_canceled'; END IF;
        RETURN NULL;
      END $$`);
    await ctx.db.$executeRawUnsafe(`
      CREATE TRIGGER too_slow AFTER INSERT ON "Delivery" REFERENCING NEW TABLE AS made
      FOR EACH STATEMENT EXECUTE FUNCTION too_slow()`);
    await relayEvents(ctx);
    expect(await ctx.db.delivery.count()).toBe(100);
    expect(await deliveriesWithTime()).toMatchObject([{ sequence: 1 }]);
  });
});

describe('many deliveries', () => {
  it('delay no other endpoint while their lines are rearranged', async () => {
    const [busy, free] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
    const first = await addEndpoint(ctx, merchant, 'https://a.example/');
    await ctx.db.webhookEndpoint.update({ where: { id: first.endpoint.id }, data: { id: busy } });
    const other = await createSubscribedMerchant(ctx);
    const second = await addEndpoint(ctx, other, 'https://b.example/');
    await ctx.db.webhookEndpoint.update({ where: { id: second.endpoint.id }, data: { id: free } });
    await recordExpired(ctx, other);
    await ctx.db.$transaction(async (tx) => {
      await lockLines(tx, 'rearrange', [busy]);
      await relayEvents(ctx);
      await updateEndpoint(ctx, other.scope, free, { eventTypes: ['subscription.created'] });
    });
    expect(await ctx.db.delivery.findMany()).toMatchObject([{ endpointId: free, status: 'CANCELLED' }]);
  });

  it('are replayed batch by batch, and the first one starts their line', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await record(4500, { relayed: true });
    const range = { from: new Date(0), to: new Date('2030-01-01') };
    const replay = (isDryRun: boolean) =>
      replayDeliveries(ctx, merchant.scope, { endpointId: endpoint.id, ...range, isDryRun });
    expect(await replay(true)).toBe(4500);
    expect(await replay(false)).toBe(4500);
    expect(await replay(false)).toBe(0);
    expect(await countByStatus()).toEqual([['PENDING', 4500]]);
    expect(await deliveriesWithTime()).toMatchObject([{ sequence: 1, replayed: true }]);
  });

  it('are cancelled with their endpoint', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(4500, endpoint.id);
    await deleteEndpoint(ctx, merchant.scope, endpoint.id);
    expect(await countByStatus()).toEqual([['CANCELLED', 4500]]);
  });

  it('are cancelled by the purge if the process that removed the endpoint crashed', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(3, endpoint.id);
    await ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { status: 'DELETED' } });
    await purgeDeliveries(ctx, { batches: 1 });
    expect(await countByStatus()).toEqual([['CANCELLED', 3]]);
  });

  it('are purged in batches of 2,000, as many as the caller allows', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(4500, endpoint.id);
    ctx.clock.advance(91 * 86_400_000);
    expect(await purgeDeliveries(ctx, { batches: 2 })).toBe(4000);
    expect(await ctx.db.delivery.count()).toBe(500);
    expect(await purgeDeliveries(ctx, { batches: 2 })).toBe(500);
  });

  it('are cancelled if their endpoint no longer accepts the type; others continue', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(4500, endpoint.id);
    await ctx.db.event.updateMany({
      where: { sequence: { gt: 4400 } },
      data: { type: 'subscription.resumed' },
    });
    await updateEndpoint(ctx, merchant.scope, endpoint.id, { eventTypes: ['subscription.resumed'] });
    expect(await ctx.db.delivery.count({ where: { status: 'CANCELLED' } })).toBe(4400);
    expect(await deliveriesWithTime()).toMatchObject([{ sequence: 4401 }]);
    await cancelUnwanted(ctx, endpoint.id);
    expect(await ctx.db.delivery.count({ where: { status: 'PENDING' } })).toBe(100);
  });

  it('are cancelled by the same change again if the process crashed after the first', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(3, endpoint.id);
    const eventTypes = ['subscription.resumed'];
    await ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { eventTypes } });
    await updateEndpoint(ctx, merchant.scope, endpoint.id, { eventTypes });
    expect(await countByStatus()).toEqual([['CANCELLED', 3]]);
  });

  it('are not read by claims while their endpoint is disabled', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://a.example/');
    await createLine(3, endpoint.id);
    await updateEndpoint(ctx, merchant.scope, endpoint.id, { status: 'DISABLED' });
    expect(await deliveriesWithTime()).toEqual([]);
    await updateEndpoint(ctx, merchant.scope, endpoint.id, { status: 'ENABLED' });
    expect(await deliveriesWithTime()).toMatchObject([{ sequence: 1, nextAttemptAt: ctx.clock.now() }]);
  });
});
