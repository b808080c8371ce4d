/** CORS for pages of customers, of the merchant's site, and of people who look around. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from './world.ts';

let world: ApiWorld;
let merchant: KeyedMerchant;
beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
});
afterAll(() => world.close());

const origin = 'https://shop.example';

it.each([
  ['GET', '/api/checkout/cs_x'],
  ['POST', '/api/checkout/cs_x/complete'],
  ['POST', '/api/checkout/cs_x/transaction'],
  ['POST', '/api/subscriptions/x/transaction'],
  ['GET', '/plans/x.json'],
  ['GET', '/openapi.json'],
])('%s %s can be called by a page of any site, also for errors', async (method, path) => {
  const asked = await world.request('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-methods')).toContain(method);
  expect(asked.headers.get('access-control-allow-headers')).toBe('Content-Type');
  const body = method === 'POST' ? {} : undefined;
  const answer = await world.request(method, path, { headers: { origin }, body });
  for (const { headers } of [asked, answer]) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  }
});

it.each([
  ['POST', '/checkout/create'],
  ['GET', '/api/subscriptions'],
  ['GET', '/api/exports/payments.csv'],
  ['POST', '/graphql'],
])('%s %s needs a key, and is closed to pages of other sites', async (method, path) => {
  const headers = { origin, 'access-control-request-method': method };
  const asked = await world.request('OPTIONS', path, { headers });
  const answer = await world.request(method, path, { key: merchant.testKey, headers: { origin } });
  for (const each of [asked, answer]) {
    expect(each.headers.get('access-control-allow-origin')).toBeNull();
  }
});

it('the root describes the service and its URLs', async () => {
  const { status, headers, body } = await world.request('GET', '/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  for (const path of ['/docs', '/openapi.json', '/graphql', '/health']) expect(body).toContain(path);
});

it('explains the use of /graphql to a browser', async () => {
  const { status, body } = await world.request('GET', '/graphql', { headers: { accept: 'text/html' } });
  expect(status).toBe(405);
  expect(body.errors[0].message).toMatch(/POST.*application\/json/);
});
