import { print } from 'graphql';
import type { Client } from 'graphql-ws';
import { expect, it, vi } from 'vitest';
import { SOCKETS_OPENED } from '../../src/api/rate-limit/rate-limit.ts';
import { createRateLimits } from '../../src/api/rate-limit/rate-limits.ts';
import { startApi } from '../../src/api/server/server.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { CANCEL, CHECKOUT_SESSION_UPDATED, ME, PAYMENT_RECORDED, SUBSCRIPTION_UPDATED } from './documents.ts';
import { type KeyedMerchant, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const stranger = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);

function subscribe(
  client: Client,
  document: Parameters<typeof print>[0],
  variables: Record<string, unknown> = {},
) {
  return client.iterate<Record<string, Record<string, unknown>>>({ query: print(document), variables });
}

async function next<T>(results: AsyncIterator<T>): Promise<T> {
  const { value, done } = await results.next();
  if (done) throw new Error('The stream ended');
  return value;
}

/** Subscribes to `paymentRecorded`. `first` is its first result, `publish` sends a payment to it. */
async function subscribeToPayments() {
  const subscribed = world.untilSubscribed('payment.recorded');
  const results = subscribe(world.socket(merchant.testKey), PAYMENT_RECORDED);
  const first = next(results);
  await subscribed;
  const publish = (paymentId: string) =>
    world.ctx.live.publish('payment.recorded', { ...merchant.scope, paymentId });
  return { results, first, publish };
}

async function newSubscription(seller = merchant, ofPlan = plan): Promise<Subscription> {
  return world.subscribe(seller, ofPlan, await world.newWallet());
}

function cancel({ address }: Subscription, when: 'NOW' | 'PERIOD_END' = 'NOW', key = merchant.testKey) {
  return world.query(key, CANCEL, { subscription: address, when });
}

it('subscriptionUpdated with an id begins with the current state', async () => {
  const [followed, other] = [await newSubscription(), await newSubscription()];
  const results = subscribe(world.socket(merchant.testKey), SUBSCRIPTION_UPDATED, { id: followed.address });
  expect(await next(results)).toEqual({
    data: {
      subscriptionUpdated: {
        id: followed.address,
        status: 'ACTIVE',
        cancelAtPeriodEnd: false,
        customer: { email: 'ada@example.com' },
      },
    },
  });
  await cancel(other);
  await cancel(followed, 'PERIOD_END');
  expect(await next(results)).toMatchObject({
    data: { subscriptionUpdated: { id: followed.address, cancelAtPeriodEnd: true } },
  });
  await results.return?.();
});

it("subscriptionUpdated sends all of the merchant's subscriptions, and no others", async () => {
  const otherPlan = await world.publishPlan(stranger);
  const [own, others] = [await newSubscription(), await newSubscription(stranger, otherPlan)];
  const subscribed = world.untilSubscribed('subscription.updated');
  const results = subscribe(world.socket(merchant.testKey), SUBSCRIPTION_UPDATED);
  const first = next(results);
  await subscribed;
  await cancel(others, 'NOW', stranger.testKey);
  await cancel(own);
  expect(await first).toMatchObject({
    data: { subscriptionUpdated: { id: own.address, status: 'CANCELLED' } },
  });
  await results.return?.();
});

it('publishes a change once, and not again when its event is relayed', async () => {
  const [first, second] = [await newSubscription(), await newSubscription()];
  const subscribed = world.untilSubscribed('subscription.updated');
  const results = subscribe(world.socket(merchant.testKey), SUBSCRIPTION_UPDATED);
  const firstUpdate = next(results);
  await subscribed;
  await cancel(first);
  await relayEvents(world.ctx);
  await cancel(second);
  const idIn = ({ data }: Awaited<typeof firstUpdate>) => data?.subscriptionUpdated?.id;
  expect([idIn(await firstUpdate), idIn(await next(results))]).toEqual([first.address, second.address]);
  await results.return?.();
});

it('subscriptionUpdated of an unknown subscription is not found', async () => {
  const results = subscribe(world.socket(merchant.testKey), SUBSCRIPTION_UPDATED, { id: 'unknown' });
  expect(await next(results)).toMatchObject({
    errors: [{ message: 'No such subscription.', extensions: { code: 'not_found', param: 'id' } }],
  });
});

it('subscriptionUpdated with an id reads another subscription only once', async () => {
  const [followed, other] = [await newSubscription(), await newSubscription()];
  const results = subscribe(world.socket(merchant.testKey), SUBSCRIPTION_UPDATED, { id: followed.address });
  await next(results);
  const reads = vi.spyOn(world.ctx.db.subscription, 'findMany');
  const counts = vi.spyOn(world.ctx.db.subscription, 'count');
  const scope = { merchantId: other.merchantId, environment: other.environment };
  for (let change = 0; change < 20; change++) {
    await world.ctx.live.publish('subscription.updated', { ...scope, subscriptionId: other.id });
  }
  await cancel(followed, 'PERIOD_END');
  expect(await next(results)).toMatchObject({ data: { subscriptionUpdated: { id: followed.address } } });
  const readsOfOther = reads.mock.calls.filter(([args]) => JSON.stringify(args).includes(other.id));
  expect([readsOfOther.length, counts.mock.calls.length]).toEqual([1, 0]);
  vi.restoreAllMocks();
  await results.return?.();
});

it('a socket runs at most 100 operations at once', async () => {
  const client = world.socket(merchant.testKey);
  const { address: id } = await newSubscription();
  const streams = Array.from({ length: 100 }, () => subscribe(client, SUBSCRIPTION_UPDATED, { id }));
  await Promise.all(streams.map(next));
  const oneMore = subscribe(client, SUBSCRIPTION_UPDATED, { id });
  const refusal = await next(oneMore).catch((errors: unknown) => errors);
  expect(refusal).toMatchObject([{ extensions: { code: 'rate_limit_exceeded' } }]);
  await streams[0]?.return?.();
  expect(await next(subscribe(client, ME))).toMatchObject({ data: { environment: 'TEST' } });
});

it('paymentRecorded sends payments', async () => {
  const { id: subscriptionId, address } = await newSubscription();
  const payment = await world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId,
      periodStart: 1n,
      dueAt: world.ctx.clock.now(),
      amount: 5_000_000n,
    },
  });
  const { results, first, publish } = await subscribeToPayments();
  await publish(payment.id);
  expect(await first).toEqual({
    data: {
      paymentRecorded: { id: payment.id, status: 'DUE', amount: '5000000', subscription: { id: address } },
    },
  });
  await results.return?.();
});

it('checkoutSessionUpdated follows a checkout without a key', async () => {
  const successUrl = 'https://shop.example/done';
  const sessionId = await world.openSession(merchant, plan, { successUrl });
  const results = subscribe(world.socket(undefined), CHECKOUT_SESSION_UPDATED, { id: sessionId });
  const open = { data: { checkoutSessionUpdated: { id: sessionId, status: 'OPEN', redirectUrl: null } } };
  expect(await next(results)).toEqual(open);
  const approved = await world.approve(sessionId, plan, await world.newWallet());
  expect(await next(results)).toEqual(open);
  const completed = await world.request('POST', `/api/checkout/${sessionId}/complete`, { body: approved });
  expect(completed.status).toBe(200);
  expect(await next(results)).toEqual({
    data: {
      checkoutSessionUpdated: {
        id: sessionId,
        status: 'COMPLETED',
        redirectUrl: `${successUrl}?session_id=${sessionId}`,
      },
    },
  });
  await results.return?.();
});

it('operations that need a key are refused on a socket without one', async () => {
  const results = subscribe(world.socket(undefined), SUBSCRIPTION_UPDATED);
  expect(await next(results)).toMatchObject({ errors: [{ extensions: { code: 'authentication_error' } }] });
});

it('closes a socket with a wrong key, with the reason', async () => {
  const closes: { code: number; reason?: string }[] = [];
  const results = subscribe(world.socket('sk_test_wrong', closes), SUBSCRIPTION_UPDATED);
  await expect(results.next()).rejects.toMatchObject({ code: 4403 });
  expect(closes).toMatchObject([{ code: 4403, reason: 'Invalid or expired API key.' }]);
});

it('a key that is revoked while its socket is open gives no more access', async () => {
  const revoked = await world.newKeyedMerchant();
  const client = world.socket(revoked.testKey);
  const openStream = subscribe(client, CHECKOUT_SESSION_UPDATED, { id: await openSessionOf(revoked) });
  await next(openStream);
  expect(await next(subscribe(client, ME))).toMatchObject({ data: { environment: 'TEST' } });
  await world.db.apiKey.updateMany({
    where: { merchantId: revoked.merchant.id },
    data: { revokedAt: world.ctx.clock.now() },
  });
  await expect(next(subscribe(client, ME))).rejects.toMatchObject([
    { extensions: { code: 'authentication_error' } },
  ]);
  await openStream.return?.();
});

async function openSessionOf(seller: KeyedMerchant): Promise<string> {
  return world.openSession(seller, await world.publishPlan(seller));
}

it.each([
  ['cannot be parsed', 'subscription {'],
  ['is not valid', 'subscription { nothing }'],
])('a document that %s is an invalid request on a socket, which stays open', async (_, query) => {
  const client = world.socket(merchant.testKey);
  const refused = await next(client.iterate({ query })).catch((errors) => errors);
  expect(refused).toMatchObject([{ extensions: { code: 'invalid_request' } }]);
  expect(refused[0].extensions).not.toHaveProperty('http');
  expect(await next(subscribe(client, ME))).toMatchObject({ data: { environment: 'TEST' } });
});

it('a subscription with an invalid variable is refused with 400 over HTTP', async () => {
  const { status, body } = await world.request('POST', '/graphql', {
    key: merchant.testKey,
    headers: { accept: 'text/event-stream' },
    body: { query: print(CHECKOUT_SESSION_UPDATED), variables: {} },
  });
  expect(status).toBe(400);
  expect(String(body)).toContain('"code":"invalid_request","param":"id"');
});

it('a subscription that cannot start is masked, and its socket stays open', async () => {
  const client = world.socket(merchant.testKey);
  const results = client.iterate({ query: 'subscription { paymentRecorded @skip(if: true) { id } }' });
  expect(await next(results)).toMatchObject({ errors: [{ extensions: { code: 'internal_error' } }] });
  expect(await next(subscribe(client, ME))).toMatchObject({ data: { environment: 'TEST' } });
});

it('an update that cannot be read is masked, and the stream goes on', async () => {
  const { results, first, publish } = await subscribeToPayments();
  await publish(crypto.randomUUID());
  await publish(crypto.randomUUID());
  const masked = { errors: [{ extensions: { code: 'internal_error' } }] };
  expect([await first, await next(results)]).toMatchObject([masked, masked]);
  await results.return?.();
});

it('live updates are also sent as Server-Sent Events', async () => {
  const { address: id, ...rest } = await newSubscription();
  const leaving = new AbortController();
  const results = world.events(merchant.testKey, SUBSCRIPTION_UPDATED, { id }, leaving.signal);
  expect(await next(results)).toMatchObject({ data: { subscriptionUpdated: { id, status: 'ACTIVE' } } });
  await cancel({ address: id, ...rest });
  expect(await next(results)).toMatchObject({ data: { subscriptionUpdated: { id, status: 'CANCELLED' } } });
  const unsubscribed = world.untilUnsubscribed('subscription.updated');
  leaving.abort();
  await unsubscribed;
});

it('ends the subscription when the socket closes', async () => {
  const { address: id } = await newSubscription();
  const client = world.socket(merchant.testKey);
  await next(subscribe(client, SUBSCRIPTION_UPDATED, { id }));
  const unsubscribed = world.untilUnsubscribed('subscription.updated');
  client.terminate();
  await unsubscribed;
});

it('ends the stream of a subscriber that may have missed updates', async () => {
  const { results, first, publish } = await subscribeToPayments();
  // More messages than the buffer of a reader holds. All arrive before the first read.
  const paymentId = crypto.randomUUID();
  for (let sent = 0; sent < 1002; sent++) publish(paymentId);
  await expect(first.then(() => next(results))).rejects.toMatchObject([
    { extensions: { code: 'live_interrupted' } },
  ]);
});

it('a server that closes ends its sockets and streams, and accepts no requests', async () => {
  const api = await startApi(world.ctx);
  const sessionId = await world.openSession(merchant, plan, { customerEmail: 'closing@example.com' });
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: print(CHECKOUT_SESSION_UPDATED), variables: { id: sessionId } }),
  });
  const closing = response.text();
  await api.close();
  const last = await closing;
  expect(last).toContain('"code":"live_interrupted"');
  expect(last).toContain('event: complete');
  await expect(fetch(`${api.url}/health`)).rejects.toThrow();
});

it('counts sockets when they open, and those with a wrong key against their address', async () => {
  const { testKey, scope } = await world.newKeyedMerchant();
  const closeCodeOf = async (key: string) => {
    const closes: { code: number }[] = [];
    await next(subscribe(world.socket(key, closes), ME)).catch(() => undefined);
    return closes[0]?.code;
  };
  expect(await closeCodeOf('sk_test_wrong')).toBe(4403);
  const limits = await createRateLimits(world.ctx);
  const { limit } = SOCKETS_OPENED;
  const { merchantId, environment } = scope;
  expect(await closeCodeOf(testKey)).toBeUndefined();
  expect((await limits.take(SOCKETS_OPENED, `${merchantId}/${environment}`, limit - 1)).allowed).toBe(true);
  expect(await closeCodeOf(testKey)).toBe(4429);
  const { remaining } = await limits.take(SOCKETS_OPENED, '127.0.0.1');
  await limits.take(SOCKETS_OPENED, '127.0.0.1', remaining);
  expect(await closeCodeOf('sk_test_wrong')).toBe(4429);
  await limits.close();
});
