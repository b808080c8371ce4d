import { afterAll, beforeAll, expect, it } from 'vitest';
import { callerOf } from '../../src/http/identify.ts';
import {
  CHECKOUT_CREATION,
  createRateLimits,
  OTHER_REQUESTS,
  type RatePolicy,
  rateLimitHeaders,
} from '../../src/http/rate-limit.ts';
import { CREATE_SESSION, ME } from './documents.ts';
import { type ApiWorld, graphqlError, type KeyedMerchant, startApiWorld } from './world.ts';

const TWO_A_SECOND: RatePolicy = { name: 'two', limit: 2, windowMs: 1000 };

/** Limits whose time is set by hand. */
function limitsAt(now: { ms: number }) {
  return createRateLimits(() => now.ms);
}

it('no window of a policy holds more requests than it allows, wherever it begins', async () => {
  const now = { ms: 10_000 };
  const limits = limitsAt(now);
  const take = async (ms: number) => {
    now.ms = ms;
    const { allowed, remaining, resetAt } = await limits.take(TWO_A_SECOND, 'a');
    return { allowed, remaining, resetAt };
  };
  expect(await take(10_900)).toEqual({ allowed: true, remaining: 1, resetAt: 11_900 });
  expect(await take(11_100)).toEqual({ allowed: true, remaining: 0, resetAt: 11_900 });
  expect(await take(11_899)).toEqual({ allowed: false, remaining: 0, resetAt: 11_900 });
  // Who was refused gets through at the time that he was told; the refused request did not count.
  expect(await take(11_900)).toEqual({ allowed: true, remaining: 0, resetAt: 12_100 });
  expect(await take(12_099)).toEqual({ allowed: false, remaining: 0, resetAt: 12_100 });
  expect(await take(14_000)).toEqual({ allowed: true, remaining: 1, resetAt: 15_000 });
});

it('callers and policies are counted each for itself', async () => {
  const limits = limitsAt({ ms: 0 });
  const one = { ...TWO_A_SECOND, limit: 1 };
  expect(await limits.take(one, 'a')).toMatchObject({ allowed: true });
  expect(await limits.take(one, 'a')).toMatchObject({ allowed: false });
  expect(await limits.take(one, 'b')).toMatchObject({ allowed: true });
  expect(await limits.take({ ...one, name: 'other' }, 'a')).toMatchObject({ allowed: true });
});

it('the headers say limit, rest and reset, and what to wait for', () => {
  const verdict = { policy: CHECKOUT_CREATION, allowed: false, remaining: 0, resetAt: 61_500 };
  expect(rateLimitHeaders(verdict, 60_000)).toEqual({
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '62',
    'RateLimit-Policy': '"checkout-creation";q=100;w=60',
    RateLimit: '"checkout-creation";r=0;t=2',
    'Retry-After': '2',
  });
  const open = rateLimitHeaders(
    { ...verdict, policy: OTHER_REQUESTS, allowed: true, remaining: 999 },
    60_000,
  );
  expect(open).toMatchObject({ 'X-RateLimit-Limit': '1000', RateLimit: '"default";r=999;t=2' });
  expect(open).not.toHaveProperty('Retry-After');
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('a caller at %s counts as %s', (address, caller) => {
  expect(callerOf(undefined, address)).toBe(caller);
});

let world: ApiWorld;
let merchant: KeyedMerchant;
beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
});
afterAll(() => world.close());

it('the 101st checkout of a merchant in a minute is refused, by any key and any way', async () => {
  const create = (key: string) => world.request('POST', '/checkout/create', { key, body: {} });
  for (let remaining = 99; remaining >= 0; remaining--) {
    const { status, headers } = await create(merchant.testKey);
    expect({ status, remaining: headers.get('x-ratelimit-remaining') }).toEqual({
      status: 400,
      remaining: String(remaining),
    });
  }
  const secondKey = await world.newKey(merchant, 'TEST');
  for (const key of [merchant.testKey, secondKey]) {
    const { status, headers, body } = await create(key);
    expect({ status, ...body.error }).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'retry-after': expect.stringMatching(/^\d+$/),
    });
  }
  const input = { planId: 'pro', customerEmail: 'ada@example.com' };
  expect(await graphqlError(world.query(secondKey, CREATE_SESSION, { input }))).toMatchObject({
    code: 'rate_limit_exceeded',
  });

  // Nobody else is concerned, nor anything else.
  const other = await world.keyedMerchant();
  expect((await create(other.testKey)).status).toBe(400);
  expect((await create(merchant.liveKey)).status).toBe(400);
  expect((await world.request('GET', '/api/subscriptions', { key: merchant.testKey })).status).toBe(200);
  expect(await world.query(merchant.testKey, ME, {})).toMatchObject({ environment: 'TEST' });
});

it('what comes without a valid key counts against its address', async () => {
  const remaining = async (headers?: Record<string, string>) => {
    const answer = await world.request('GET', '/api/subscriptions', headers ? { headers } : {});
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const first = await remaining();
  expect(await remaining({ authorization: 'Bearer sk_test_wrong' })).toBe(first - 1);
  expect(await remaining({ 'x-forwarded-for': '198.51.100.1' })).toBe(first - 2);
});
