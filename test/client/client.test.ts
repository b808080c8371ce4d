import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDuesClient, DuesError, type LiveEvent } from '../../client/dues-client.ts';
import { startApi } from '../../src/api/server/server.ts';
import { recordEvent } from '../../src/domain/event/record-event.ts';
import { relayEvents } from '../../src/domain/relay/relay-events.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from '../api/world.ts';

let world: ApiWorld;
let merchant: KeyedMerchant;

beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
  await world.publishPlan(merchant);
});
afterAll(() => world.close());

function client(apiKey = merchant.testKey, url = world.api.url) {
  return createDuesClient({ url, apiKey });
}

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

async function failure(call: Promise<unknown>): Promise<DuesError> {
  const error = await call.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(DuesError);
  return error as DuesError;
}

it('a checkout session is created, and once for one key', async () => {
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

it('what is refused is a DuesError with its code, param and status', async () => {
  expect(await failure(client().createCheckoutSession({ ...order, planId: 'none' }))).toMatchObject({
    code: 'invalid_request',
    param: 'planId',
    status: 200,
    isTemporary: false,
  });
  expect(await failure(client('sk_test_wrong').createCheckoutSession(order))).toMatchObject({
    code: 'authentication_error',
    status: 401,
    isTemporary: false,
  });
  const nobody = client(merchant.testKey, 'http://127.0.0.1:9');
  expect(await failure(nobody.createCheckoutSession(order))).toMatchObject({
    code: 'connection_error',
    status: undefined,
    isTemporary: true,
  });
});

it('too many requests have a time to wait', async () => {
  const busy = await world.keyedMerchant();
  for (let sent = 0; sent < 10; sent++) {
    const creations = Array.from(
      { length: 10 },
      (_, index) => `a${index}: createCheckoutSession(input: { planId: "x", customerEmail: "x" }) { id }`,
    );
    const query = `mutation { ${creations.join(' ')} }`;
    await world.request('POST', '/graphql', { key: busy.testKey, body: { query } });
  }
  expect(await failure(client(busy.testKey).createCheckoutSession(order))).toMatchObject({
    code: 'rate_limit_exceeded',
    isTemporary: true,
    retryAfterSeconds: expect.any(Number),
  });
});

async function happen(of: KeyedMerchant, endpointId: string): Promise<void> {
  await world.db.$transaction((tx) =>
    recordEvent(tx, { ...of.scope, type: 'endpoint.test', data: { endpointId }, at: world.ctx.clock.now() }),
  );
  await relayEvents(world.ctx);
}

const idOf = ({ value }: IteratorResult<LiveEvent>) =>
  ((value as LiveEvent).data as { endpointId: string }).endpointId;

it('events are sent from a cursor on, filtered by type', async () => {
  const of = await world.keyedMerchant();
  const all = client(of.testKey).events();
  const listened = world.untilSubscribed('event.recorded');
  const first = all.next();
  await listened;
  await happen(of, 'a');
  const { value } = (await first) as { value: LiveEvent };
  expect(value).toEqual({
    cursor: expect.any(String),
    id: expect.any(String),
    type: 'endpoint.test',
    sequence: null,
    createdAt: expect.stringMatching(/^2026-12-01T00:00:00.\d{3}Z$/),
    data: { endpointId: 'a' },
  });
  await all.return();
  await happen(of, 'b');
  const later = client(of.testKey).events({ after: value.cursor, types: ['endpoint.test'] });
  expect(idOf(await later.next())).toBe('b');
  await later.return();
});

it('a stream continues after an outage of the server, without a gap or a duplicate', async () => {
  const of = await world.keyedMerchant();
  let api = await startApi(world.ctx);
  const { port } = api;
  const interruptions: DuesError[] = [];
  const { promise: isInterrupted, resolve: interrupted } = Promise.withResolvers<void>();
  const events = client(of.testKey, api.url).events({
    onInterruption: (error) => {
      interruptions.push(error);
      interrupted();
    },
  });
  const listened = world.untilSubscribed('event.recorded');
  const first = events.next();
  await listened;
  await happen(of, 'before');
  expect(idOf(await first)).toBe('before');
  const second = events.next();
  await api.close();
  await isInterrupted;
  await happen(of, 'meanwhile');
  await happen(of, 'and again');
  api = await startApi({ ...world.ctx, config: { ...world.ctx.config, port } });
  expect(idOf(await second)).toBe('meanwhile');
  expect(idOf(await events.next())).toBe('and again');
  expect(interruptions[0]).toMatchObject({ code: 'live_interrupted' });
  await events.return();
  await api.close();
});

it('a stream with a wrong key or cursor is not retried', async () => {
  expect(await failure(client('sk_test_wrong').events().next())).toMatchObject({
    code: 'authentication_error',
  });
  expect(await failure(client().events({ after: 'nonsense' }).next())).toMatchObject({
    code: 'invalid_request',
    param: 'after',
  });
});

it('a stream ends by its signal, without an error', async () => {
  const leaving = new AbortController();
  const listened = world.untilSubscribed('event.recorded');
  const events = client((await world.keyedMerchant()).testKey).events({ signal: leaving.signal });
  const next = events.next();
  await listened;
  leaving.abort();
  expect(await next).toEqual({ value: undefined, done: true });
});

it('a server that answers in an unknown form is an error', async () => {
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer((socket) => socket.end('HTTP/1.1 502 Bad\r\n\r\n<html>'));
    listening.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const { port } = server.address() as { port: number };
  const call = client(merchant.testKey, `http://127.0.0.1:${port}`).createCheckoutSession(order);
  expect(await failure(call)).toMatchObject({ code: 'connection_error' });
  server.close();
});

it("a server that answers in JSON, and not in GraphQL's, is an error", async () => {
  // A Solana node answers any POST.
  const call = client(merchant.testKey, world.chain.config.rpcUrl).createCheckoutSession(order);
  expect(await failure(call)).toMatchObject({ code: 'connection_error' });
});
