import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_ALIASES } from '../../../src/api/graphql/plugins/document-limits.ts';
import { MAX_OPERATIONS, OTHER_MESSAGES } from '../../../src/api/graphql/transport/socket-operations.ts';
import { startApiWorld } from '../../api/world.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { SOON } from '../../support/soon.ts';

const world = await sharedByFile(startApiWorld());

/** Sends requests until the caller is over its limit. */
async function exhaustLimit(key?: string): Promise<void> {
  const fields = Array.from({ length: MAX_ALIASES }, (_, index) => `a${index}: environment`).join(' ');
  for (const query of [`{ ${fields} }`, '{ environment }']) {
    const ask = () => world.request('POST', '/graphql', { ...(key && { key }), body: { query } });
    while ((await ask()).status !== 429);
  }
}

/** A minimal graphql-transport-ws connection. */
async function openSocket(key?: string) {
  const socket = new WebSocket(`${world.api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const received: { type: string; id?: string; payload?: unknown }[] = [];
  socket.on('message', (text) => received.push(JSON.parse(String(text))));
  await once(socket, 'open');
  const payload = key === undefined ? {} : { authorization: `Bearer ${key}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await vi.waitFor(() => expect(received).toEqual([{ type: 'connection_ack' }]), SOON);
  const subscribe = (id: string, query: string) =>
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query } }));
  return { socket, received, subscribe };
}

/** The number of connections that wait for a lock. */
async function countWaiting(): Promise<number> {
  const [{ count } = { count: 0n }] = await world.ctx.db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(count);
}

it('merchants get responses while strangers use all their connections', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  // The first request waits in the queue of unknown callers. From now on the key is known.
  expect((await world.request('GET', '/api/subscriptions', { key })).status).toBe(200);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const lock = world.ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE "CheckoutSession" IN ACCESS EXCLUSIVE MODE`;
      isLocked();
      await held;
    },
    { timeout: 30_000 },
  );
  await locked;
  const strangers = Array.from({ length: 40 }, () => world.request('GET', '/api/checkout/cs_nobody'));
  await vi.waitFor(async () => expect(await countWaiting()).toBe(3), 10_000);
  for (let request = 0; request < 20; request++) {
    expect((await world.request('GET', '/api/subscriptions', { key })).status).toBe(200);
  }
  expect(await countWaiting()).toBe(3);
  release();
  await lock;
  expect((await Promise.all(strangers)).every(({ status }) => status === 404)).toBe(true);
});

it('checkouts complete even if they wait for a connection of strangers', async () => {
  const merchant = await world.newKeyedMerchant();
  const plan = await world.publishPlan(merchant);
  const approved = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const customerEmail = `customer${index}@example.com`;
      const sessionId = await world.openSession(merchant, plan, { customerEmail });
      return { sessionId, body: await world.approve(sessionId, plan, await world.newWallet()) };
    }),
  );
  const answers = await world.ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE "Customer" IN EXCLUSIVE MODE`;
      const completing = approved.map(({ sessionId, body }) =>
        world.request('POST', `/api/checkout/${sessionId}/complete`, { body }),
      );
      await vi.waitFor(async () => expect(await countWaiting()).toBe(3), 10_000);
      // By default, a Prisma transaction waits two seconds for its connection. This is longer.
      await tx.$queryRaw`SELECT 1 FROM pg_sleep(2.2)`;
      return completing;
    },
    { timeout: 30_000 },
  );
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toEqual(approved.map(() => 200));
});

it('a probe is not counted, and has the rate-limit headers', async () => {
  const remaining = async (path: string) => {
    const { headers } = await world.request('GET', path);
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const before = await remaining('/nowhere');
  for (const path of ['/health', '/health/live', '/health/ready']) expect(await remaining(path)).toBe(1_000);
  expect(await remaining('/nowhere')).toBe(before - 1);
});

it('a caller that is over its limit is refused without a query to the counter', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  await exhaustLimit(key);
  // The counter itself would allow more.
  await world.ctx.db.rateWindow.deleteMany();
  const rest = await world.request('GET', '/api/subscriptions', { key });
  expect(rest.status).toBe(429);
  expect(rest.body.error.code).toBe('rate_limit_exceeded');
  expect(rest.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(rest.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const graphql = await world.request('POST', '/graphql', { key, body: { query: '{ environment }' } });
  expect(graphql.body.errors).toMatchObject([{ extensions: { code: 'rate_limit_exceeded' } }]);
  // Creations have their own limit.
  const creation = await world.request('POST', '/checkout/create', { key, body: {} });
  expect(creation.status).toBe(400);
  const { socket, received, subscribe } = await openSocket(key);
  for (let id = 0; id < 50; id++) subscribe(String(id), '{ environment }');
  await vi.waitFor(() => expect(received.filter(({ type }) => type === 'error')).toHaveLength(50), SOON);
  const closed = once(socket, 'close');
  for (let id = 50; id < 2 * OTHER_MESSAGES; id++) subscribe(String(id), '{ environment }');
  expect((await closed)[0]).toBe(4429);
});

it('floods of pipelined requests are cut off, and a merchant is served', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  const ends = Array.from({ length: 20 }, () => {
    const socket = connect(world.api.port, '127.0.0.1').on('error', () => undefined);
    socket.resume().write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3_000));
    return new Promise((resolve) => socket.once('close', resolve));
  });
  expect((await world.request('GET', '/api/subscriptions', { key })).status).toBe(200);
  await Promise.all(ends);
  expect((await world.request('GET', '/api/subscriptions', { key })).status).toBe(200);
});

it('refuses concurrent operations only if they are over the limit', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  const { socket, received, subscribe } = await openSocket(key);
  for (let id = 0; id <= MAX_OPERATIONS; id++) subscribe(String(id), 'subscription { events { id } }');
  await vi.waitFor(() => expect(received.some(({ type }) => type === 'error')).toBe(true), 10_000);
  subscribe('last', '{ environment }');
  await vi.waitFor(() => expect(received.some(({ id }) => id === 'last')).toBe(true), 10_000);
  const refused = received.filter(({ type }) => type === 'error').map(({ id }) => id);
  expect(refused).toEqual([String(MAX_OPERATIONS), 'last']);
  socket.terminate();
});

it('a socket that sends too many messages is closed with a reason', async () => {
  const { socket } = await openSocket();
  const closed = once(socket, 'close');
  for (let sent = 0; sent < 10 * OTHER_MESSAGES; sent++) socket.send('{"type":"ping"}');
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4429, 'Too many messages.']);
});

it('the media type of a body is not case-sensitive', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  const headers = { 'content-type': 'APPLICATION/JSON; charset=UTF-8' };
  const graphql = await world.request('POST', '/graphql', {
    key,
    headers,
    body: { query: '{ environment }' },
  });
  expect(graphql.body).toEqual({ data: { environment: 'TEST' } });
  const rest = await world.request('POST', '/checkout/create', { key, headers, body: {} });
  expect(rest.body.error.param).not.toBe('Content-Type');
});

it('sockets without connection_init are closed, and their address can open others', async () => {
  const url = `${world.api.url.replace('http', 'ws')}/graphql`;
  const silent = Array.from({ length: 300 }, () => new WebSocket(url, 'graphql-transport-ws'));
  const closes = silent.map(async (socket) => (await once(socket, 'close'))[0]);
  const { socket } = await openSocket();
  socket.terminate();
  expect(new Set(await Promise.all(closes))).toEqual(new Set([4408]));
});
