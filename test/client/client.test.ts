import { createServer, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { createDuesClient, DuesError, type LiveEvent } from '../../client/dues-client.ts';
import { startApi } from '../../src/api/server/server.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { type KeyedMerchant, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await world.publishPlan(merchant);

function client(apiKey = merchant.testKey, url = world.api.url) {
  return createDuesClient({ url, apiKey });
}

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

async function errorOf(call: Promise<unknown>): Promise<DuesError> {
  const error = await call.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(DuesError);
  return error as DuesError;
}

it('a checkout session is created once per idempotency key', async () => {
  const input = { ...order, idempotencyKey: 'order-1', metadata: { campaign: 'autumn' } };
  const session = await client().createCheckoutSession(input);
  expect(session).toEqual({
    id: expect.stringMatching(/^cs_/),
    url: `https://dues.example/checkout/${session.id}`,
    expiresAt: expect.stringMatching(/^2026-12-01T00:30:00.\d{3}Z$/),
    status: 'OPEN',
  });
  expect(await client().createCheckoutSession(input)).toEqual(session);
});

it('a refusal is a DuesError with its code, param and status', async () => {
  expect(await errorOf(client().createCheckoutSession({ ...order, planId: 'none' }))).toMatchObject({
    code: 'invalid_request',
    param: 'planId',
    status: 200,
    isTemporary: false,
  });
  expect(await errorOf(client('sk_test_wrong').createCheckoutSession(order))).toMatchObject({
    code: 'authentication_error',
    status: 401,
    isTemporary: false,
  });
  const unreachable = client(merchant.testKey, 'http://127.0.0.1:9');
  expect(await errorOf(unreachable.createCheckoutSession(order))).toMatchObject({
    code: 'connection_error',
    status: undefined,
    isTemporary: true,
  });
});

it('the error of a rate limit has the time to wait', async () => {
  const busy = await world.newKeyedMerchant();
  for (let sent = 0; sent < 10; sent++) {
    const creations = Array.from(
      { length: 10 },
      (_, index) => `a${index}: createCheckoutSession(input: { planId: "x", customerEmail: "x" }) { id }`,
    );
    const query = `mutation { ${creations.join(' ')} }`;
    await world.request('POST', '/graphql', { key: busy.testKey, body: { query } });
  }
  expect(await errorOf(client(busy.testKey).createCheckoutSession(order))).toMatchObject({
    code: 'rate_limit_exceeded',
    isTemporary: true,
    retryAfterSeconds: expect.any(Number),
  });
});

async function recordTestEvent({ scope }: KeyedMerchant, endpointId: string): Promise<void> {
  await world.db.$transaction((tx) =>
    recordEvent(tx, { ...scope, type: 'endpoint.test', data: { endpointId }, at: world.ctx.clock.now() }),
  );
  await relayEvents(world.ctx);
}

const idOf = ({ value }: IteratorResult<LiveEvent>) =>
  ((value as LiveEvent).data as { endpointId: string }).endpointId;

it('events are sent after a cursor, filtered by type', async () => {
  const seller = await world.newKeyedMerchant();
  const stream = client(seller.testKey).events();
  const subscribed = world.untilSubscribed('event.recorded');
  const first = stream.next();
  await subscribed;
  await recordTestEvent(seller, 'a');
  const { value } = (await first) as { value: LiveEvent };
  expect(value).toEqual({
    cursor: expect.any(String),
    id: expect.any(String),
    type: 'endpoint.test',
    sequence: null,
    createdAt: expect.stringMatching(/^2026-12-01T00:00:00.\d{3}Z$/),
    data: { endpointId: 'a' },
  });
  await stream.return();
  await recordTestEvent(seller, 'b');
  const later = client(seller.testKey).events({ after: value.cursor, types: ['endpoint.test'] });
  expect(idOf(await later.next())).toBe('b');
  await later.return();
});

it('a stream continues after an outage of the server, without a gap or a duplicate', async () => {
  const seller = await world.newKeyedMerchant();
  let api = await startApi(world.ctx);
  const { port } = api;
  const interruptions: DuesError[] = [];
  const { promise: isInterrupted, resolve: interrupted } = Promise.withResolvers<void>();
  const events = client(seller.testKey, api.url).events({
    onInterruption: (error) => {
      interruptions.push(error);
      interrupted();
    },
  });
  const subscribed = world.untilSubscribed('event.recorded');
  const first = events.next();
  await subscribed;
  await recordTestEvent(seller, 'before');
  expect(idOf(await first)).toBe('before');
  const second = events.next();
  await api.close();
  await isInterrupted;
  await recordTestEvent(seller, 'meanwhile');
  await recordTestEvent(seller, 'and again');
  api = await startApi({ ...world.ctx, config: { ...world.ctx.config, port } });
  expect(idOf(await second)).toBe('meanwhile');
  expect(idOf(await events.next())).toBe('and again');
  expect(interruptions[0]).toMatchObject({ code: 'live_interrupted' });
  await events.return();
  await api.close();
});

it('a stream with a wrong key or cursor is not retried', async () => {
  expect(await errorOf(client('sk_test_wrong').events().next())).toMatchObject({
    code: 'authentication_error',
  });
  expect(await errorOf(client().events({ after: 'nonsense' }).next())).toMatchObject({
    code: 'invalid_request',
    param: 'after',
  });
});

it('a stream ends without an error when its signal is aborted', async () => {
  const leaving = new AbortController();
  const subscribed = world.untilSubscribed('event.recorded');
  const events = client((await world.newKeyedMerchant()).testKey).events({ signal: leaving.signal });
  const next = events.next();
  await subscribed;
  leaving.abort();
  expect(await next).toEqual({ value: undefined, done: true });
});

it('an answer that is not JSON is an error', async () => {
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer((socket) => socket.resume().end('HTTP/1.1 502 Bad\r\n\r\n<html>'));
    listening.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const { port } = server.address() as { port: number };
  const call = client(merchant.testKey, `http://127.0.0.1:${port}`).createCheckoutSession(order);
  expect(await errorOf(call)).toMatchObject({ code: 'connection_error' });
  server.close();
});

it('an answer in JSON that is not GraphQL is an error', async () => {
  // A Solana node answers any POST.
  const call = client(merchant.testKey, world.chain.config.rpcUrl).createCheckoutSession(order);
  expect(await errorOf(call)).toMatchObject({ code: 'connection_error' });
});
