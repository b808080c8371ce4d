import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { relayEvents } from '../../src/domain/event/relay-events.ts';
import { deliverWebhook } from '../../src/domain/webhook/deliver-webhook.ts';
import { sweepDeliveries } from '../../src/domain/webhook/sweep-deliveries.ts';
import { startWorkers, type Workers } from '../../src/jobs/worker.ts';
import { deliverWebhookJob } from '../../workers/deliver-webhook.ts';
import type { TestContext } from '../jobs/context.ts';
import { drainJobs } from '../jobs/drain-jobs.ts';
import { ok, type Receiver, startReceiver, status } from './receiver.ts';
import { addEndpoint, recordExpired, type Subscribed, startWorld, subscribedMerchant } from './world.ts';

const HOUR = 3_600_000;
const LEASE_MS = 60_000;

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: Subscribed;
let receiver: Receiver;
let workers: Workers;

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await subscribedMerchant(ctx);
  receiver = await startReceiver();
  workers = await startWorkers(ctx, { 'webhooks.deliver': deliverWebhookJob });
});
afterEach(async () => {
  await workers.close();
  await receiver.close();
  await world.close();
});

/** What the timers would do now, and everything that follows from it. */
async function settle() {
  await relayEvents(ctx);
  await sweepDeliveries(ctx);
  await drainJobs(ctx.config);
}
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const sequences = () => bodies().map(({ sequence }) => sequence);
const deliveries = () =>
  ctx.db.delivery.findMany({
    orderBy: { sequence: 'asc' },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

describe('delivering an event', () => {
  it('posts its body, signed both ways, and writes the attempt down', async () => {
    const { secret } = await addEndpoint(ctx, merchant, receiver.url);
    // Billing time has nothing to do with when a receiver reads the signature.
    ctx.clock.advance(-1000 * HOUR);
    const event = await recordExpired(ctx, merchant);
    await settle();
    const [received] = receiver.received;
    expect(JSON.parse(received?.body ?? '')).toEqual({
      id: event.id,
      event: 'subscription.expired',
      timestamp: ctx.clock.now().getTime(),
      sequence: 1,
      data: {
        subscriptionId: merchant.subscription.address,
        customer: { email: 'a@example.com', walletAddress: 'wallet' },
        failureCount: 3,
        metadata: { campaign: 'autumn' },
      },
    });
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event.id,
      'x-webhook-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    });
    new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
    expect(await deliveries()).toMatchObject([
      {
        status: 'SUCCEEDED',
        attemptCount: 1,
        nextAttemptAt: null,
        attempts: [{ number: 1, statusCode: 200, error: null, responseBody: '{"received":true}' }],
      },
    ]);
  });

  it('holds the order of a subscription while an earlier event is not through, and holds up no other', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    const other = { ...merchant, subscription: await merchant.subscribe() };
    receiver.answer = (response, { body }) =>
      body.includes(merchant.subscription.address) ? status(500)(response) : ok(response);
    for (let count = 0; count < 3; count++) await recordExpired(ctx, merchant);
    await recordExpired(ctx, other);
    await settle();
    const [mine, others] = [merchant, other].map(({ subscription }) =>
      receiver.received.filter(({ body }) => body.includes(subscription.address)),
    );
    expect(mine).toHaveLength(1);
    expect(others).toHaveLength(1);
    receiver.answer = ok;
    receiver.received.length = 0;
    ctx.clock.advance(6000);
    await settle();
    expect(sequences()).toEqual([1, 2, 3]);
  });

  it('waits for an earlier event that another relay still has in hand', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    const first = await recordExpired(ctx, merchant);
    await recordExpired(ctx, merchant);
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const slowRelay = ctx.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM "Event" WHERE "id" = ${first.id}::uuid FOR UPDATE`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    await settle();
    expect(await ctx.db.delivery.count()).toBe(1);
    expect(sequences()).toEqual([]);
    release.resolve();
    await slowRelay;
    await settle();
    expect(sequences()).toEqual([1, 2]);
  });

  it('tries again at 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, then gives up and goes on', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    receiver.answer = status(503);
    await recordExpired(ctx, merchant);
    await settle();
    const waits = [
      5000,
      5 * 60_000,
      30 * 60_000,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ];
    for (const [tries, wait] of waits.entries()) {
      ctx.clock.advance(wait - 1);
      await settle();
      expect(receiver.received).toHaveLength(tries + 1);
      ctx.clock.advance(wait * 0.1 + 1);
      await settle();
      expect(receiver.received).toHaveLength(tries + 2);
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'FAILED', attemptCount: 10, nextAttemptAt: null });
    expect(delivery?.attempts.map(({ number, error }) => [number, error])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 'answered 503']),
    );
    receiver.answer = ok;
    await recordExpired(ctx, merchant);
    await settle();
    expect(sequences().at(-1)).toBe(2);
  });

  it('sends once when two workers take the same delivery', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    await workers.close();
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const [delivery] = await deliveries();
    await Promise.all([1, 2, 3, 4].map(() => deliverWebhook(ctx, delivery?.id ?? '')));
    expect(receiver.received).toHaveLength(1);
    await deliverWebhook(ctx, delivery?.id ?? '');
    expect(receiver.received).toHaveLength(1);
  });

  it('is taken up again when the worker that had it died, and not before its claim has run out', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    await workers.close();
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const [delivery] = await deliveries();
    const id = delivery?.id ?? '';
    const dying = ctx.db.$extends({
      query: { deliveryAttempt: { $allOperations: () => Promise.reject(new Error('killed')) } },
    }) as unknown as TestContext['db'];
    await expect(deliverWebhook({ ...ctx, db: dying }, id)).rejects.toThrow('killed');
    await deliverWebhook(ctx, id);
    expect(receiver.received).toHaveLength(1);
    ctx.clock.advance(LEASE_MS);
    await deliverWebhook(ctx, id);
    // The same event under the same id: the receiver can tell.
    expect(receiver.received).toHaveLength(2);
    expect(bodies()[0]).toEqual(bodies()[1]);
    expect(await deliveries()).toMatchObject([
      { status: 'SUCCEEDED', attemptCount: 1, attempts: [{ number: 1 }] },
    ]);
  });

  it('does not write over what was settled after its own claim had run out', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    await workers.close();
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const [delivery] = await deliveries();
    const id = delivery?.id ?? '';
    const slow = Promise.withResolvers<() => void>();
    receiver.answer = (response) => slow.resolve(() => status(500)(response));
    const late = deliverWebhook(ctx, id);
    const answerLate = await slow.promise;
    receiver.answer = ok;
    ctx.clock.advance(LEASE_MS);
    await deliverWebhook(ctx, id);
    answerLate();
    await late;
    expect(await deliveries()).toMatchObject([
      { status: 'SUCCEEDED', attemptCount: 1, attempts: [{ number: 1, statusCode: 200 }] },
    ]);
  });

  it('waits while its endpoint is off', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
    await recordExpired(ctx, merchant);
    const turn = (state: 'ENABLED' | 'DISABLED') =>
      ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { status: state } });
    await relayEvents({ ...ctx, jobs: { ...ctx.jobs, addMany: async () => undefined } });
    await turn('DISABLED');
    await settle();
    expect(receiver.received).toEqual([]);
    await turn('ENABLED');
    await settle();
    expect(receiver.received).toHaveLength(1);
  });

  it('refuses a private address that slipped in, and says so in the attempt', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://example.com/');
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    await ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { url } });
    await recordExpired(ctx, merchant);
    await settle();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { status: 'PENDING', attempts: [{ statusCode: null, error: 'localhost is not a public address' }] },
    ]);
  });

  it('logs neither secrets nor signatures nor what customers are called', async () => {
    const { secret } = await addEndpoint(ctx, merchant, receiver.url);
    receiver.answer = status(500);
    await recordExpired(ctx, merchant);
    await settle();
    await vi.waitFor(() => expect(ctx.logged.join('')).toContain('webhook tried'));
    const signature = String(receiver.received[0]?.headers['webhook-signature']);
    for (const secretText of [secret, secret.slice('whsec_'.length), signature, 'a@example.com']) {
      expect(ctx.logged.join('')).not.toContain(secretText);
    }
  });
});
