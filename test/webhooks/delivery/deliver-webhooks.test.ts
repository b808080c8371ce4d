import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dateOf } from '../../../src/chain/chain-time.ts';
import { relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { Deliverer } from '../../../src/domain/messages/webhook/delivery/deliverer.ts';
import { INTERRUPTED } from '../../../src/domain/messages/webhook/delivery/settle-deliveries.ts';
import { updateEndpoint } from '../../../src/domain/messages/webhook/update-endpoint.ts';
import { ok, type Receiver, status } from '../../../tools/world/webhook-receiver.ts';
import { machineClock, type TestContext } from '../../jobs/context.ts';
import { SOON } from '../../support/soon.ts';
import { deliverDue, settle as settleAll } from '../settle.ts';
import {
  addEndpoint,
  type DeliveryWorld,
  recordExpired,
  type SubscribedMerchant,
  startDeliveryWorld,
} from '../world.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LEASE_MS = 60_000;

let world: DeliveryWorld;
let ctx: TestContext;
let merchant: SubscribedMerchant;
let receiver: Receiver;

beforeEach(async () => {
  world = await startDeliveryWorld();
  ({ ctx, merchant, receiver } = world);
});
afterEach(() => world.close());

const settle = () => settleAll(ctx, world.deliverer);
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const sequences = () => bodies().map(({ sequence }) => sequence);
const deliveries = () =>
  ctx.db.delivery.findMany({
    orderBy: { sequence: 'asc' },
    include: { attempts: { orderBy: { number: 'asc' } } },
  });

describe('delivering an event', () => {
  it('sends the body, signed in both formats, and records the attempt', async () => {
    const { secret } = await addEndpoint(ctx, merchant, receiver.url);
    // Receivers compare the timestamp of a signature with the real time, not the billing clock.
    ctx.clock.advance(-1000 * HOUR_MS);
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
        startedAt: dateOf(merchant.subscription.chainCreatedAt).toISOString(),
        customer: { email: 'a@example.com', customerId: null, walletAddress: 'wallet' },
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

  it('keeps a subscription’s order while an event waits, and delays no others', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    const other = { ...merchant, subscription: await merchant.subscribe() };
    receiver.answer = (response, { body }) =>
      body.includes(merchant.subscription.address) ? status(500)(response) : ok(response);
    for (let count = 0; count < 3; count++) await recordExpired(ctx, merchant);
    await recordExpired(ctx, other);
    await settle();
    const [delayed, others] = [merchant, other].map(({ subscription }) =>
      receiver.received.filter(({ body }) => body.includes(subscription.address)),
    );
    expect(delayed).toHaveLength(1);
    expect(others).toHaveLength(1);
    receiver.answer = ok;
    receiver.received.length = 0;
    ctx.clock.advance(6000);
    await settle();
    expect(sequences()).toEqual([1, 2, 3]);
  });

  it('retries nine times in three days, and continues with the next event', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    receiver.answer = status(503);
    await recordExpired(ctx, merchant);
    await settle();
    const waits = [
      5000,
      5 * 60_000,
      30 * 60_000,
      2 * HOUR_MS,
      5 * HOUR_MS,
      10 * HOUR_MS,
      14 * HOUR_MS,
      20 * HOUR_MS,
      24 * HOUR_MS,
    ];
    for (const [index, wait] of waits.entries()) {
      ctx.clock.advance(wait - 1);
      await settle();
      expect(receiver.received).toHaveLength(index + 1);
      ctx.clock.advance(wait * 0.1 + 1);
      await settle();
      expect(receiver.received).toHaveLength(index + 2);
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

  it('sends once when several workers run at the same time', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    const others = [1, 2, 3].map(() => new Deliverer(ctx, { lingerMs: 0 }));
    for (let count = 0; count < 30; count++) {
      await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
    }
    await relayEvents(ctx);
    await Promise.all([...others, world.deliverer].map((deliverer) => deliverDue(ctx, deliverer)));
    await Promise.all(others.map((other) => other.close()));
    expect(receiver.received).toHaveLength(30);
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(30);
  });

  it('sends again after a dead worker’s claim, and records both attempts', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
    await world.deliverer.close();
    const died = Promise.withResolvers<void>();
    const dyingDb = ctx.db.$extends({
      query: { $queryRaw: ({ args, query }) => query(args), $allModels: {} },
      client: {
        $transaction: () => {
          died.resolve();
          return Promise.reject(new Error('killed'));
        },
      },
    }) as unknown as TestContext['db'];
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const dyingDeliverer = new Deliverer({ ...ctx, db: dyingDb });
    const visit = dyingDeliverer.deliver(endpoint.id);
    await died.promise;
    await Promise.all([dyingDeliverer.close(), visit]);
    expect(receiver.received).toHaveLength(1);
    world.deliverer = new Deliverer(ctx);
    ctx.clock.advance(LEASE_MS - 1);
    expect(await world.deliverer.deliver(endpoint.id)).toEqual({ againMs: 1 });
    ctx.clock.advance(1);
    await settle();
    // The same event with the same id, so the receiver can recognise it.
    expect(receiver.received).toHaveLength(2);
    expect(bodies()[0]).toEqual(bodies()[1]);
    expect(await deliveries()).toMatchObject([
      {
        status: 'SUCCEEDED',
        attemptCount: 2,
        failureCount: 0,
        attempts: [
          { number: 1, statusCode: null, durationMs: null, error: INTERRUPTED },
          { number: 2, statusCode: 200, error: null },
        ],
      },
    ]);
  });

  it.each([
    { first: 'ahead', firstMs: 5 * MINUTE_MS, secondMs: -5 * MINUTE_MS },
    { first: 'behind', firstMs: -5 * MINUTE_MS, secondMs: 5 * MINUTE_MS },
  ])(
    'lets one of two workers claim for a minute, if the first clock is $first',
    async ({ firstMs, secondMs }) => {
      const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
      const behind = { ...ctx, clock: machineClock(-5 * MINUTE_MS) };
      await recordExpired(behind, merchant);
      await relayEvents(behind);
      const answers: (() => void)[] = [];
      receiver.answer = (response) => void answers.push(() => ok(response));
      const [first, second] = [firstMs, secondMs].map(
        (aheadMs) => new Deliverer({ ...ctx, clock: machineClock(aheadMs) }, { lingerMs: 0 }),
      ) as [Deliverer, Deliverer];
      const visit = first.deliver(endpoint.id);
      await vi.waitFor(() => expect(answers).toHaveLength(1), SOON);
      const { againMs } = await second.deliver(endpoint.id);
      expect(receiver.received).toHaveLength(1);
      expect(againMs).toBeGreaterThan(LEASE_MS - 10_000);
      expect(againMs).toBeLessThanOrEqual(LEASE_MS);
      // The first worker hangs for a minute, so its claim expires.
      await ctx.db.$executeRaw`UPDATE "Delivery" SET "claimedUntil" = "claimedUntil" - interval '1 minute'`;
      const secondVisit = second.deliver(endpoint.id);
      await vi.waitFor(() => expect(answers).toHaveLength(2), SOON);
      for (const answer of answers) answer();
      await Promise.all([visit, secondVisit]);
      await Promise.all([first.close(), second.close()]);
      expect(await deliveries()).toMatchObject([{ status: 'SUCCEEDED', attemptCount: 2 }]);
    },
  );

  it('records a late answer without overwriting a later settlement', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
    await recordExpired(ctx, merchant);
    const slow = Promise.withResolvers<() => void>();
    receiver.answer = (response) => slow.resolve(() => status(500)(response));
    await relayEvents(ctx);
    const late = world.deliverer.deliver(endpoint.id);
    const answerLate = await slow.promise;
    receiver.answer = ok;
    ctx.clock.advance(LEASE_MS);
    const other = new Deliverer(ctx);
    await other.deliver(endpoint.id);
    expect(await deliveries()).toMatchObject([{ status: 'SUCCEEDED' }]);
    answerLate();
    await late;
    await other.close();
    expect(await deliveries()).toMatchObject([
      { status: 'SUCCEEDED', attemptCount: 2, attempts: [{ statusCode: 500 }, { statusCode: 200 }] },
    ]);
  });

  it('waits while the endpoint is disabled', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
    await recordExpired(ctx, merchant);
    const setStatus = (state: 'ENABLED' | 'DISABLED') =>
      updateEndpoint(ctx, merchant.scope, endpoint.id, { status: state });
    await relayEvents(ctx);
    await setStatus('DISABLED');
    await settle();
    expect(receiver.received).toEqual([]);
    await setStatus('ENABLED');
    await settle();
    expect(receiver.received).toHaveLength(1);
  });

  it('sends nothing to a stored private address, and records the reason in the attempt', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, 'https://example.com/');
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    await ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { url } });
    await recordExpired(ctx, merchant);
    await settle();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toMatchObject([
      {
        status: 'PENDING',
        attempts: [{ statusCode: null, error: 'the URL must be on the public internet' }],
      },
    ]);
  });

  it('logs no secrets, signatures or email addresses of customers', async () => {
    const { secret } = await addEndpoint(ctx, merchant, receiver.url);
    receiver.answer = status(500);
    await recordExpired(ctx, merchant);
    await settle();
    const signature = String(receiver.received[0]?.headers['webhook-signature']);
    for (const secretText of [secret, secret.slice('whsec_'.length), signature, 'a@example.com']) {
      expect(ctx.logged.join('')).not.toContain(secretText);
    }
  });
});
