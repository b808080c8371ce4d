import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { relayEvents } from '../../../src/domain/event/relay-events.ts';
import { DeliveryLoop } from '../../../src/domain/webhook/delivery/delivery-loop.ts';
import { INTERRUPTED } from '../../../src/domain/webhook/delivery/settle-deliveries.ts';
import { updateEndpoint } from '../../../src/domain/webhook/update-endpoint.ts';
import type { TestContext } from '../../jobs/context.ts';
import { type Delivering, startDelivering } from '../delivering.ts';
import { ok, type Receiver, status } from '../receiver.ts';
import { settle as settleLoop } from '../settle.ts';
import { addEndpoint, recordExpired, type Subscribed } from '../world.ts';

const HOUR = 3_600_000;
const LEASE_MS = 60_000;

let delivering: Delivering;
let ctx: TestContext;
let merchant: Subscribed;
let receiver: Receiver;

beforeEach(async () => {
  delivering = await startDelivering();
  ({ ctx, merchant, receiver } = delivering);
});
afterEach(() => delivering.close());

const settle = () => settleLoop(ctx, delivering.loop);
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

  it('sends once when several workers look at the same time', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    const others = [1, 2, 3].map(() => new DeliveryLoop(ctx));
    for (let count = 0; count < 30; count++) {
      await recordExpired(ctx, { ...merchant, subscription: await merchant.subscribe() });
    }
    await relayEvents(ctx);
    for (const other of others) other.wake();
    await settle();
    await Promise.all(others.map((other) => other.close()));
    expect(receiver.received).toHaveLength(30);
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(30);
  });

  it('is taken up again when the worker that had it died, not before its claim has run out, and tells of both tries', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    await delivering.loop.close();
    const dead = Promise.withResolvers<void>();
    const dying = ctx.db.$extends({
      query: { $queryRaw: ({ args, query }) => query(args), $allModels: {} },
      client: {
        $transaction: () => {
          dead.resolve();
          return Promise.reject(new Error('killed'));
        },
      },
    }) as unknown as TestContext['db'];
    await recordExpired(ctx, merchant);
    await relayEvents(ctx);
    const mortal = new DeliveryLoop({ ...ctx, db: dying });
    await dead.promise;
    await mortal.close();
    expect(receiver.received).toHaveLength(1);
    delivering.loop = new DeliveryLoop(ctx);
    ctx.clock.advance(LEASE_MS - 1);
    delivering.loop.wake();
    ctx.clock.advance(1);
    await settle();
    // The same event under the same id: the receiver can tell.
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

  it('does not write over what was settled after its own claim had run out, and keeps what it heard', async () => {
    await addEndpoint(ctx, merchant, receiver.url);
    await recordExpired(ctx, merchant);
    const slow = Promise.withResolvers<() => void>();
    receiver.answer = (response) => slow.resolve(() => status(500)(response));
    await relayEvents(ctx);
    delivering.loop.wake();
    const answerLate = await slow.promise;
    receiver.answer = ok;
    ctx.clock.advance(LEASE_MS);
    const other = new DeliveryLoop(ctx);
    await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ status: 'SUCCEEDED' }]));
    answerLate();
    await other.close();
    await delivering.loop.close();
    expect(await deliveries()).toMatchObject([
      { status: 'SUCCEEDED', attemptCount: 2, attempts: [{ statusCode: 500 }, { statusCode: 200 }] },
    ]);
  });

  it('waits while its endpoint is off', async () => {
    const { endpoint } = await addEndpoint(ctx, merchant, receiver.url);
    await recordExpired(ctx, merchant);
    const turn = (state: 'ENABLED' | 'DISABLED') =>
      updateEndpoint(ctx, merchant.scope, endpoint.id, { status: state });
    await relayEvents(ctx);
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
    const signature = String(receiver.received[0]?.headers['webhook-signature']);
    for (const secretText of [secret, secret.slice('whsec_'.length), signature, 'a@example.com']) {
      expect(ctx.logged.join('')).not.toContain(secretText);
    }
  });
});
