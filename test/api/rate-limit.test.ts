import { expect, it } from 'vitest';
import { callerAddress, networkOf, trustedProxies } from '../../src/api/access/caller-address.ts';
import { countsAgainst } from '../../src/api/access/counts-against.ts';
import { MAX_ALIASES } from '../../src/api/graphql/plugins/document-limits.ts';
import { CHECKOUT_CREATION, OTHER_REQUESTS, rateLimitHeaders } from '../../src/api/rate-limit/rate-limit.ts';
import type { Caller } from '../../src/domain/kernel/access/caller.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { startApiWorld } from './world.ts';

it('the headers have the limit, what remains, the reset and the time to wait', () => {
  const verdict = {
    policy: CHECKOUT_CREATION,
    allowed: false,
    remaining: 0,
    resetAt: 61_500,
    resetInMs: 1_500,
  };
  expect(rateLimitHeaders(verdict)).toEqual({
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '62',
    'RateLimit-Policy': '"checkout-creation";q=100;w=60',
    RateLimit: '"checkout-creation";r=0;t=2',
    'Retry-After': '2',
  });
  const open = rateLimitHeaders({ ...verdict, policy: OTHER_REQUESTS, allowed: true, remaining: 999 });
  expect(open).toMatchObject({ 'X-RateLimit-Limit': '1000', RateLimit: '"default";r=999;t=2' });
  expect(open).not.toHaveProperty('Retry-After');
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
])('a caller at %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ['no proxy is trusted', '198.51.100.1', '203.0.113.7', [], '198.51.100.1'],
  ['a proxy names the caller', '10.0.0.1', '203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
  ['a socket for both versions', '::ffff:10.0.0.1', '203.0.113.7', ['10.0.0.1'], '203.0.113.7'],
  ['an untrusted sender names another', '198.51.100.1', '203.0.113.7', ['10.0.0.0/8'], '198.51.100.1'],
  [
    'the caller forges what the proxy appends to',
    '10.0.0.1',
    '1.1.1.1, 203.0.113.7',
    ['10.0.0.1'],
    '203.0.113.7',
  ],
  ['two proxies', '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2', ['10.0.0.0/8'], '203.0.113.7'],
  ['a proxy that names no address', '10.0.0.1', undefined, ['10.0.0.0/8'], '10.0.0.1'],
  ['a proxy that names nonsense', '10.0.0.1', 'x; DROP', ['10.0.0.0/8'], '10.0.0.1'],
  ['only proxies', '10.0.0.1', '10.0.0.3', ['10.0.0.0/8'], '10.0.0.3'],
  ['IPv6', 'fd00::1', '2001:db8::7', ['fd00::/8'], '2001:db8::7'],
  ['a closed connection', undefined, '203.0.113.7', ['10.0.0.0/8'], 'unknown'],
])('the address of a caller: %s', (_, remote, forwarded, proxies, address) => {
  expect(callerAddress(remote, forwarded, trustedProxies(proxies))).toBe(address);
});

it('requests with a key count against its merchant and environment, from any address', () => {
  const caller: Caller = { kind: 'api_key', keyId: 'k', merchantId: 'm', environment: 'TEST', scopes: [] };
  expect(countsAgainst(caller, '203.0.113.7')).toBe('m/TEST');
});

const world = await sharedByFile(startApiWorld());

const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

it('a member’s requests count against that member, not the merchant', async () => {
  const merchant = await world.newKeyedMerchant();
  const [first, second] = [new Browser(world), new Browser(world, { environment: 'live' })];
  await first.signIn(merchant.wallet);
  await second.signIn(merchant.wallet);
  const ask = async (browser: Browser, query: string) => {
    const { headers } = await browser.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return { policy: headers.get('ratelimit-policy'), remaining: remainingOf({ headers }) };
  };
  const policy = '"dashboard";q=3000;w=60';
  for (let sent = 1; sent < 100; sent++) await ask(first, '{ environment }');
  expect(await ask(first, '{ environment }')).toEqual({ policy, remaining: 2_900 });
  // Both browsers, in both environments, belong to one member.
  expect(await ask(second, '{ a: viewer { role } b: viewer { role } }')).toEqual({
    policy,
    remaining: 2_898,
  });

  const socket = world.socket(undefined, [], first.headers);
  await socket.iterate({ query: '{ environment }' }).next();
  expect(await ask(first, '{ environment }')).toEqual({ policy, remaining: 2_896 });

  const key = merchant.testKey;
  const counted = await world.request('POST', '/graphql', { key, body: { query: '{ environment }' } });
  expect(remainingOf(counted)).toBe(999);
});

it('a GraphQL operation counts each root field, and checkouts by themselves', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  const ask = (query: string) => world.request('POST', '/graphql', { key, body: { query } });
  const create = 'createCheckoutSession(input: { planId: "x", customerEmail: "a@example.com" }) { id }';

  expect(remainingOf(await ask('{ environment }'))).toBe(999);
  expect(remainingOf(await ask('{ a: environment b: environment c: environment }'))).toBe(996);
  expect(remainingOf(await ask('{ environment environment ...F } fragment F on Query { environment }'))).toBe(
    995,
  );

  const three = await ask(
    `mutation { a: ${create} ...F } fragment F on Mutation { b: ${create} ... { c: ${create} } }`,
  );
  expect(three.headers.get('x-ratelimit-limit')).toBe('100');
  expect(remainingOf(three)).toBe(97);

  // 97 are left for groups of 12. The ninth group is refused: no part of it counts or runs.
  const twelve = `mutation { ${Array.from({ length: 12 }, (_, index) => `a${index}: ${create}`).join(' ')} }`;
  for (let remaining = 85; remaining > 0; remaining -= 12)
    expect(remainingOf(await ask(twelve))).toBe(remaining);
  const { status, headers, body } = await ask(twelve);
  expect({ status, remaining: remainingOf({ headers }) }).toEqual({ status: 429, remaining: 1 });
  expect(body).toEqual({
    errors: [expect.objectContaining({ extensions: { code: 'rate_limit_exceeded' } })],
  });
  expect(remainingOf(await ask(`mutation { ${create} }`))).toBe(0);
});

it('an operation over a WebSocket counts as a request does', async () => {
  const { testKey: key } = await world.newKeyedMerchant();
  const socket = world.socket(key);
  for (const query of ['{ environment }', '{ a: environment b: environment }']) {
    await socket.iterate({ query }).next();
  }
  expect(remainingOf(await world.request('GET', '/api/subscriptions', { key }))).toBe(996);
  const creations = Array.from(
    { length: 10 },
    (_, index) => `a${index}: createCheckoutSession(input: { planId: "x", customerEmail: "x" }) { id }`,
  );
  const ask = async () =>
    (await socket.iterate({ query: `mutation { ${creations.join(' ')} }` }).next()).value;
  for (let sent = 0; sent < 10; sent++)
    expect(await ask()).toMatchObject({ errors: [{ extensions: { code: 'invalid_request' } }] });
  expect(await ask()).toMatchObject({ errors: [{ extensions: { code: 'rate_limit_exceeded' } }] });
});

it('a request without a valid key counts against its address', async () => {
  const remaining = async (headers?: Record<string, string>) =>
    remainingOf(await world.request('GET', '/api/subscriptions', headers ? { headers } : {}));
  const first = await remaining();
  expect(await remaining({ authorization: 'Bearer sk_test_wrong' })).toBe(first - 1);
  expect(await remaining({ 'x-forwarded-for': '198.51.100.1' })).toBe(first - 2);
});

it('shows a page to a customer over the rate limit', async () => {
  const fields = Array.from({ length: MAX_ALIASES }, (_, index) => `a${index}: environment`).join(' ');
  const isRefused = async (path: string, body?: unknown) =>
    (await world.request(body ? 'POST' : 'GET', path, { body })).status === 429;
  while (!(await isRefused('/graphql', { query: `{ ${fields} }` })));
  while (!(await isRefused('/health')));
  const { status, headers, body } = await world.request('GET', '/checkout/cs_any');
  expect({ status, type: headers.get('content-type') }).toEqual({
    status: 429,
    type: 'text/html; charset=UTF-8',
  });
  expect(body).toContain('Wait a minute, then try again.');
  expect(body).toContain('href="/checkout/cs_any"');
  expect(body).not.toContain('X-RateLimit');
});
