import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedSubscriptions } from './seed.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from './world.ts';

let world: ApiWorld;
let merchant: KeyedMerchant;
let stranger: KeyedMerchant;

beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
  stranger = await world.keyedMerchant();
  await seedSubscriptions(world.db, merchant.scope, 23);
  await seedSubscriptions(world.db, { ...merchant.scope, environment: 'LIVE' }, 1);
});
afterAll(() => world.close());

function list(query: string, key = merchant.testKey) {
  return world.request('GET', `/api/subscriptions${query}`, { key });
}

it('GET /api/subscriptions answers with a page, newest first', async () => {
  const { status, body } = await list('');
  expect(status).toBe(200);
  expect(body.pagination).toEqual({ page: 1, limit: 20, total: 23, pages: 2 });
  expect(body.data).toHaveLength(20);
  expect(body.data[0]).toEqual({
    subscriptionId: 'TEST-subscription-22',
    state: 'expired',
    customer: { email: 'customer-22@example.com', customerId: 'user-22', walletAddress: 'wallet-22' },
    plan: {
      planId: 'seeded',
      planName: 'Seeded',
      description: null,
      amount: '9007199254740993',
      interval: '3600',
      trialPeriodSeconds: '0',
      mint: 'mint',
    },
    metadata: { number: 22 },
    paymentNumber: 22,
    failureCount: 0,
    nextPaymentDate: null,
    accessUntil: null,
    cancelAtPeriodEnd: false,
    startedAt: '2026-11-01T00:22:00.000Z',
    createdAt: '2026-11-01T00:22:00.000Z',
  });
  expect(body.data.slice(0, 4).map(({ state }: { state: string }) => state)).toEqual([
    'expired',
    'cancelled',
    'past_due',
    'active',
  ]);
  expect(body.data[3].nextPaymentDate).toBe('2026-11-02T00:19:00.000Z');
});

it('the pages of a list hold every subscription once', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&limit=7`)));
  const ids = pages.flatMap(({ body }) =>
    body.data.map((each: { subscriptionId: string }) => each.subscriptionId),
  );
  expect(ids).toEqual(Array.from({ length: 23 }, (_, index) => `TEST-subscription-${22 - index}`));
  expect(pages[3]?.body.pagination).toEqual({ page: 4, limit: 7, total: 23, pages: 4 });
});

it('a page behind the last one is empty', async () => {
  expect((await list('?page=3')).body).toEqual({
    data: [],
    pagination: { page: 3, limit: 20, total: 23, pages: 2 },
  });
});

it('a limit of 1 and of 100 is allowed', async () => {
  expect((await list('?limit=1')).body.data).toHaveLength(1);
  expect((await list('?limit=100')).body.data).toHaveLength(23);
});

it.each([
  ['page', '?page=0'],
  ['page', '?page=-1'],
  ['page', '?page=1.5'],
  ['page', '?page='],
  ['page', '?page=one'],
  ['page', '?page=1000001'],
  ['page', '?page=99999999999999999999'],
  ['page', '?page=1&page=2'],
  ['limit', '?limit=0'],
  ['limit', '?limit=101'],
  ['limit', '?limit=0x10'],
  ['limit', '?limit=%00'],
])('it names %s as out of range in %s', async (param, query) => {
  const { status, body } = await list(query);
  expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'invalid_request', param });
});

it('a key lists its own merchant and environment only', async () => {
  expect((await list('', stranger.testKey)).body).toMatchObject({
    data: [],
    pagination: { total: 0, pages: 0 },
  });
  const { body } = await list('', merchant.liveKey);
  expect(body.data.map((each: { subscriptionId: string }) => each.subscriptionId)).toEqual([
    'LIVE-subscription-0',
  ]);
});
