/** CORS of the routes that pages of any site may call, and of those that they may not. */
import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const origin = 'https://shop.example';

it.each([
  ['GET', '/api/checkout/cs_x'],
  ['POST', '/api/checkout/cs_x/complete'],
  ['POST', '/api/checkout/cs_x/transaction'],
  ['POST', '/api/checkout/cs_x/wallet'],
  ['POST', '/api/subscriptions/x/transaction'],
  ['GET', '/plans/x.json'],
  ['GET', '/openapi.json'],
])('%s %s can be called by a page of any site, also for errors', async (method, path) => {
  const preflight = await world.request('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type');
  const body = method === 'POST' ? {} : undefined;
  const answer = await world.request(method, path, { headers: { origin }, body });
  for (const { headers } of [preflight, answer]) {
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
])('%s %s is closed to pages of other sites', async (method, path) => {
  const headers = { origin, 'access-control-request-method': method };
  const preflight = await world.request('OPTIONS', path, { headers });
  const answer = await world.request(method, path, { key: merchant.testKey, headers: { origin } });
  for (const { headers: received } of [preflight, answer]) {
    expect(received.get('access-control-allow-origin')).toBeNull();
  }
});

it('the root describes the service and its URLs', async () => {
  const { status, headers, body } = await world.request('GET', '/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  for (const path of ['/openapi.json', '/graphql', '/health']) expect(body).toContain(path);
});

it('the root opens the dashboard, the portal and the documentation', async () => {
  const { body } = await world.request('GET', '/');
  const [doors = ''] = /<ul[ >][\s\S]*<\/ul>/.exec(body) ?? [];
  const paths = [...doors.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
  expect(paths).toEqual(['/dashboard/', '/portal', '/docs']);
  for (const path of paths) expect((await world.request('GET', path ?? '')).status).toBe(200);
});

it('explains to a browser how to call /graphql', async () => {
  const { status, body } = await world.request('GET', '/graphql', { headers: { accept: 'text/html' } });
  expect(status).toBe(405);
  expect(body.errors[0].message).toMatch(/POST.*application\/json/);
});
