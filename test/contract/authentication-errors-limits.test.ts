/** "Authentication", "Errors" and "Limits" of the contract. */
import { describe, expect, it } from 'vitest';
import { CREATE_CHECKOUT_SESSION, ME } from '../api/documents.ts';
import { type ApiWorld, graphqlError, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await world.publishPlan(merchant);

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

/** One request for each kind of answer. */
const ANSWERS: [status: number, code: string | undefined, ask: () => Promise<Answer>][] = [
  [200, undefined, () => ask('GET', '/api/subscriptions', merchant.testKey)],
  [400, 'invalid_request', () => ask('GET', '/api/subscriptions?page=0', merchant.testKey)],
  [401, 'authentication_error', () => ask('GET', '/api/subscriptions', 'sk_test_wrong')],
  [404, 'not_found', () => ask('GET', '/api/checkout/cs_unknown', merchant.testKey)],
];

type Answer = Awaited<ReturnType<ApiWorld['request']>>;

function ask(method: string, path: string, key?: string, body?: unknown): Promise<Answer> {
  return world.request(method, path, { ...(key !== undefined && { key }), body });
}

function expectLimits(headers: Headers): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(headers.get(name)).toMatch(/^\d+$/);
  }
  const inSeconds = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
  expect(Math.abs(inSeconds)).toBeLessThan(120);
}

describe('Authentication', () => {
  // 1. "Every API request carries the header Authorization: Bearer <API_KEY>."
  it('1. a request carries an API key', async () => {
    for (const [method, path] of [
      ['POST', '/checkout/create'],
      ['GET', '/api/subscriptions'],
    ] as const) {
      const { status, body } = await ask(method, path, undefined, method === 'POST' ? order : undefined);
      expect({ status, ...body.error }).toMatchObject({ status: 401, code: 'authentication_error' });
      expect((await ask(method, path, merchant.testKey, method === 'POST' ? order : undefined)).status).toBe(
        200,
      );
    }
    expect(await graphqlError(world.query(undefined, ME, {}))).toMatchObject({
      code: 'authentication_error',
    });
  });

  // 2. "The API key determines the environment": sk_test_ the test environment, sk_live_ the
  // production environment
  it('2. the key determines the environment', async () => {
    expect(merchant.testKey).toMatch(/^sk_test_/);
    expect(merchant.liveKey).toMatch(/^sk_live_/);
    expect(await world.query(merchant.testKey, ME, {})).toMatchObject({ environment: 'TEST' });
    expect(await world.query(merchant.liveKey, ME, {})).toMatchObject({ environment: 'LIVE' });
    const { body: created } = await ask('POST', '/checkout/create', merchant.testKey, order);
    const path = `/api/checkout/${created.sessionId}`;
    expect((await ask('GET', path, merchant.testKey)).body.environment).toBe('test');
    expect((await ask('GET', path, merchant.liveKey)).status).toBe(404);
  });

  // 5. "An invalid or expired key yields status 401 with error code authentication_error."
  it('5. an invalid or expired key is refused', async () => {
    const expiring = await world.newKeyedMerchant();
    await world.db.apiKey.updateMany({
      where: { merchantId: expiring.merchant.id },
      data: { expiresAt: world.ctx.wallClock.now() },
    });
    for (const key of ['sk_test_wrong', 'nonsense', expiring.testKey]) {
      const { status, body } = await ask('GET', '/api/subscriptions', key);
      expect({ status, ...body.error }).toMatchObject({ status: 401, code: 'authentication_error' });
      expect(await graphqlError(world.query(key, ME, {}))).toMatchObject({
        status: 401,
        code: 'authentication_error',
      });
    }
  });

  // 7. "How the call to POST /api/checkout/{sessionId}/complete from the app is
  // authenticated": only by the session id and the chain
  it('7. completing a checkout needs no key', async () => {
    const { body: created } = await ask('POST', '/checkout/create', merchant.testKey, {
      ...order,
      customerEmail: 'app@example.com',
    });
    const plan = await world.db.plan.findFirstOrThrow({ where: { planId: 'pro' } });
    const approved = await world.approve(created.sessionId, plan, await world.newWallet());
    const path = `/api/checkout/${created.sessionId}/complete`;
    const forged = await ask('POST', path, undefined, { ...approved, signature: '1'.repeat(64) });
    expect(forged.body.error).toMatchObject({ code: 'invalid_request', param: 'signature' });
    expect((await ask('POST', path, undefined, approved)).status).toBe(200);
  });
});

describe('Errors', () => {
  it.each(ANSWERS)(
    '%s: "standard HTTP status codes and a JSON body of this shape", code %s',
    async (status, code, request) => {
      const answer = await request();
      expect(answer.status).toBe(status);
      if (code === undefined) return;
      const { error, ...others } = answer.body;
      expect(others).toEqual({});
      const { param, ...rest } = error;
      expect(rest).toEqual({ code, message: expect.any(String) });
      expect(['string', 'undefined']).toContain(typeof param);
    },
  );

  // 500: "Internal server error", in the same shape
  it('500: an internal error has the same shape', async () => {
    const api = await world.startWithoutDatabase();
    const response = await fetch(`${api.url}/api/checkout/cs_x`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expectLimits(response.headers);
    await api.close();
  });

  // plan_inactive: "The plan is not active."
  it('a plan that is no longer active is plan_inactive', async () => {
    const plan = await world.publishPlan(merchant, { planId: 'ending' });
    const sessionId = await world.openSession(merchant, plan);
    await world.db.plan.update({ where: { id: plan.id }, data: { status: 'INACTIVE' } });
    const { address } = await world.newWallet();
    const { status, body } = await ask('POST', `/api/checkout/${sessionId}/transaction`, undefined, {
      userWallet: address,
    });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'plan_inactive' });
  });
});

describe('Limits', () => {
  it.each(ANSWERS)(
    '"Rate limit headers are present on all responses": %s',
    async (_status, _code, request) => {
      expectLimits((await request()).headers);
    },
  );

  // "Other endpoints: 1000 requests per minute", "Checkout creation: 100 requests per minute"
  it('a merchant has a limit of requests, and one of checkouts, per minute', async () => {
    const { testKey } = await world.newKeyedMerchant();
    const limit = async (method: string, path: string) =>
      (await ask(method, path, testKey, method === 'POST' ? {} : undefined)).headers.get('x-ratelimit-limit');
    expect(await limit('GET', '/api/subscriptions')).toBe('1000');
    expect(await limit('GET', '/api/checkout/cs_x')).toBe('1000');
    expect(await limit('POST', '/checkout/create')).toBe('100');
  });

  // "When the limit is exceeded the service answers 429 with code rate_limit_exceeded": the
  // 101st checkout of a merchant in a minute, with any key, over REST or GraphQL
  it('the 101st checkout of a merchant in a minute is refused', async () => {
    const busy = await world.newKeyedMerchant();
    const create = (key: string) => ask('POST', '/checkout/create', key, {});
    for (let remaining = 99; remaining >= 0; remaining--) {
      const { status, headers } = await create(busy.testKey);
      expect({ status, remaining: headers.get('x-ratelimit-remaining') }).toEqual({
        status: 400,
        remaining: String(remaining),
      });
    }
    const secondKey = await world.newKey(busy, 'TEST');
    for (const key of [busy.testKey, secondKey]) {
      const { status, headers, body } = await create(key);
      expect({ status, ...body.error }).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
      expectLimits(headers);
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(
      await graphqlError(world.query(secondKey, CREATE_CHECKOUT_SESSION, { input: order })),
    ).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    });
    // "The scope of the rate-limit counting": by merchant and environment. Other callers and routes
    // are not affected.
    const other = await world.newKeyedMerchant();
    expect((await create(other.testKey)).status).toBe(400);
    expect((await create(busy.liveKey)).status).toBe(400);
    expect((await ask('GET', '/api/subscriptions', busy.testKey)).status).toBe(200);
    expect(await world.query(busy.testKey, ME, {})).toMatchObject({ environment: 'TEST' });
  });
});
