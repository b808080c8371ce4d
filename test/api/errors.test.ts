import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startApi } from '../../src/api/server/server.ts';
import { VERSION } from '../../src/config/version.ts';
import { connectDb } from '../../src/db/db.ts';
import { checkSecretKey } from '../../src/domain/messages/webhook/check-secret-key.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

function expectLimits(headers: Headers): void {
  expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(0);
  expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^"[a-z-]+";q=\d+;w=60$/);
  expect(headers.get('ratelimit')).toMatch(/^"[a-z-]+";r=\d+;t=\d+$/);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
}

it('a health check answers without a key', async () => {
  const { status, headers, body } = await world.request('GET', '/health');
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', version: VERSION } });
  expectLimits(headers);
});

it.each([
  ['GET', '/nowhere'],
  ['DELETE', '/checkout/create'],
  ['POST', '/api/subscriptions'],
  ['GET', '/api/checkout'],
  ['GET', '/%'],
  ['GET', '/api/checkout/%E0%A4%A'],
])('%s %s is not found', async (method, path) => {
  const { status, headers, body } = await world.request(method, path);
  expect({ status, ...body.error }).toMatchObject({ status: 404, code: 'not_found' });
  expectLimits(headers);
});

it('answers a browser with a page for an unknown address, and the APIs with JSON', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await world.request('GET', '/no/such/page', { headers });
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    status: 404,
    type: 'text/html; charset=UTF-8',
  });
  expect(page.body).toContain('>No page has this address</h1>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expectLimits(page.headers);
  for (const path of ['/api/nothing', '/graphql/nothing']) {
    const { status, body } = await world.request('GET', path, { headers });
    expect({ status, ...body.error }).toMatchObject({ status: 404, code: 'not_found' });
  }
});

it.each([
  ['no header', {}],
  ['another scheme', { authorization: 'Basic abc' }],
  ['no key', { authorization: 'Bearer ' }],
  ['an unknown key', { authorization: 'Bearer sk_test_unknown' }],
  ['two keys', { authorization: 'Bearer sk_test_a sk_test_b' }],
])('%s is an authentication error', async (_, headers) => {
  for (const [method, path] of [
    ['POST', '/checkout/create'],
    ['GET', '/api/subscriptions'],
  ] as const) {
    const answer = await world.request(method, path, { headers });
    expect({ status: answer.status, ...answer.body.error }).toMatchObject({
      status: 401,
      code: 'authentication_error',
    });
    expectLimits(answer.headers);
  }
});

it('two Authorization headers are an authentication error', async () => {
  const { testKey, liveKey } = merchant;
  const request = get(`${world.api.url}/api/subscriptions`, {
    headers: [
      'Host',
      'localhost',
      'Authorization',
      `Bearer ${testKey}`,
      'Authorization',
      `Bearer ${liveKey}`,
    ],
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(401);
});

const MALFORMED = { param: 'body', message: 'Malformed JSON in request body.' };
const WRONG_TYPE = { param: 'Content-Type', message: 'The content type must be application/json.' };

it.each([
  ['malformed JSON', '{"planId":', 'application/json', MALFORMED],
  ['an empty body', '', 'application/json', MALFORMED],
  ['a form', 'planId=pro', 'application/x-www-form-urlencoded', WRONG_TYPE],
  ['plain text', '{}', 'text/plain', WRONG_TYPE],
  ['no type', '{}', '', WRONG_TYPE],
])('%s is an invalid request', async (_, body, type, error) => {
  const {
    status,
    headers,
    body: answer,
  } = await world.request('POST', '/checkout/create', {
    key: merchant.testKey,
    body,
    headers: { 'content-type': type },
  });
  expect({ status, ...answer.error }).toEqual({ status: 400, code: 'invalid_request', ...error });
  expectLimits(headers);
});

it('a body that is too large is an invalid request, however it is sent', async () => {
  const body = JSON.stringify({ planId: 'x'.repeat(100_000) });
  const buffered = await world.request('POST', '/checkout/create', { key: merchant.testKey, body });
  expect({ status: buffered.status, ...buffered.body.error }).toMatchObject({ status: 400, param: 'body' });
  const streamed = await fetch(`${world.api.url}/checkout/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${merchant.testKey}` },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(streamed.status).toBe(400);
});

it('an internal error is a 500 without details, and logged', async () => {
  const api = await world.startWithoutDatabase();
  const calls = [
    fetch(`${api.url}/api/checkout/cs_x`),
    fetch(`${api.url}/checkout/cs_x`),
    fetch(`${api.url}/api/subscriptions`, { headers: { authorization: 'Bearer sk_test_x' } }),
  ];
  for (const response of await Promise.all(calls)) {
    expect(response.status).toBe(500);
    // The page is read by a person.
    if (response.url === `${api.url}/checkout/cs_x`) {
      expect(await response.text()).toContain('This checkout cannot be shown');
    } else {
      expect(await response.json()).toEqual({
        error: { code: 'internal_error', message: 'Something went wrong on our side.' },
      });
    }
    expectLimits(response.headers);
    const requestId = response.headers.get('x-request-id');
    const failure = world.logged.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId);
    expect(failure).toMatchObject({ msg: 'request failed', err: { message: expect.any(String) } });
  }
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = once(socket, 'close');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer sk_test_x' } }));
  // 4403 would tell the client that its key is wrong.
  expect((await closed).map(String)).toEqual(['1013', 'Something went wrong on our side.']);
  await api.close();
});

/** Starts an API with a statement timeout of 200 ms, not 10 s, and opens a connection for locks. */
async function startImpatientApi(closing: AsyncDisposableStack) {
  const { databaseUrl } = world.ctx.config;
  const db = connectDb(databaseUrl, { statementMs: 200 });
  closing.defer(() => db.$disconnect());
  const api = await startApi({ ...world.ctx, db });
  closing.defer(() => api.close());
  const headers = { authorization: `Bearer ${merchant.testKey}`, 'content-type': 'application/json' };
  // From now on the key is known, and its requests use the connections of the process.
  await fetch(`${api.url}/api/subscriptions`, { headers });
  const lockConnection = new Client({ connectionString: databaseUrl });
  await lockConnection.connect();
  closing.defer(() => lockConnection.end());
  const post = (path: string, body: object) =>
    fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { post, lockConnection };
}

it('a request that waits too long for a lock is refused, and a retry works', async () => {
  await using closing = new AsyncDisposableStack();
  const { post, lockConnection } = await startImpatientApi(closing);
  const { planId } = await world.publishPlan(merchant, { planId: 'busy' });
  const create = () => post('/checkout/create', { planId, customerEmail: 'busy@example.com' });
  const trigger = () =>
    post('/graphql', { query: 'mutation { triggerEvent(type: "subscription.created") { type } }' });

  await lockConnection.query('BEGIN; LOCK TABLE "CheckoutSession", "Event" IN EXCLUSIVE MODE');
  const [created, triggered] = await Promise.all([create(), trigger()]);
  const message = 'The service is busy and did not finish the request in time. Try again in a moment.';
  expect({ status: created.status, retryAfter: created.headers.get('retry-after') }).toEqual({
    status: 500,
    retryAfter: '1',
  });
  expect(await created.json()).toEqual({ error: { code: 'internal_error', message } });
  expectLimits(created.headers);
  expect(await triggered.json()).toMatchObject({
    errors: [{ message, extensions: { code: 'internal_error' } }],
  });
  expect(triggered.headers.get('retry-after')).toBe('1');
  expectLimits(triggered.headers);
  // The first of two mutations may have made its change.
  const twoMutations =
    'mutation { updateSettings(input: { maxFailures: 3 }) { maxFailures } triggerEvent(type: "subscription.created") { type } }';
  const partial = await post('/graphql', { query: twoMutations });
  expect(await partial.json()).toMatchObject({ errors: [{ message, path: ['triggerEvent'] }] });
  expect(partial.headers.has('retry-after')).toBe(false);

  await lockConnection.query('ROLLBACK');
  expect((await create()).status).toBe(200);
  expect(await (await trigger()).json()).toEqual({
    data: { triggerEvent: { type: 'subscription.created' } },
  });
});

it('a change whose result cannot be read in time is reported as made', async () => {
  await using closing = new AsyncDisposableStack();
  const { post, lockConnection } = await startImpatientApi(closing);
  const url = 'https://hooks.example/unread';
  const query = `mutation { createWebhookEndpoint(url: "${url}") { endpoint { stats(hours: 1) { p95Ms } } } }`;
  await lockConnection.query('BEGIN; LOCK TABLE "Delivery", "DeliveryAttempt" IN ACCESS EXCLUSIVE MODE');
  const response = await post('/graphql', { query });
  await lockConnection.query('ROLLBACK');
  expect(response.headers.has('retry-after')).toBe(false);
  expect(await response.json()).toMatchObject({
    errors: [
      {
        message:
          'The change was made, but its result could not be read in time. Do not repeat the change: query its result.',
        extensions: { code: 'internal_error' },
        path: ['createWebhookEndpoint', 'endpoint', 'stats'],
      },
    ],
  });
  expect(await world.ctx.db.webhookEndpoint.count({ where: { url } })).toBe(1);
});

it('a SECRET_KEY that differs from before is reported in the log', async () => {
  const ask = async (query: string) =>
    (await world.request('POST', '/graphql', { key: merchant.testKey, body: { query } })).body.data;
  const create = 'mutation { createWebhookEndpoint(url: "https://hooks.example/key") { endpoint { id } } }';
  await ask(create);
  // A deleted endpoint has no secret.
  const { id } = (await ask(create)).createWebhookEndpoint.endpoint;
  await ask(`mutation { deleteWebhookEndpoint(id: "${id}") { id } }`);
  const findWarnings = () => world.logged.filter((line) => line.includes('SECRET_KEY differs from before'));
  await checkSecretKey(world.ctx);
  expect(findWarnings()).toHaveLength(0);
  await checkSecretKey({ ...world.ctx, config: { ...world.ctx.config, secretKey: new Uint8Array(32) } });
  expect(findWarnings()).toHaveLength(1);
});

it('the log contains routes, but no keys or sessions', async () => {
  const plan = await world.publishPlan(merchant);
  const sessionId = await world.openSession(merchant, plan);
  await world.request('GET', `/api/checkout/${sessionId}`, { key: merchant.testKey });
  await world.request('GET', `/checkout/${sessionId}`);
  const lines = world.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(lines.at(-2)).toMatchObject({
    method: 'GET',
    route: '/api/checkout/:sessionId',
    status: 200,
    merchantId: merchant.merchant.id,
    environment: 'TEST',
    durationMs: expect.any(Number),
  });
  expect(lines.at(-1)).toMatchObject({ route: '/checkout/:sessionId', status: 200 });
  const log = world.logged.join('');
  for (const secret of [sessionId, merchant.testKey, merchant.liveKey]) expect(log).not.toContain(secret);
});
