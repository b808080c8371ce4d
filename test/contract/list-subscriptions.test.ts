/** "GET /api/subscriptions" and "Pagination rules" of the contract. */
import { expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { SUBSCRIPTIONS } from '../api/documents.ts';
import { seedSubscriptions } from '../api/seed.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const stranger = await world.newKeyedMerchant();
await seedSubscriptions(world.db, merchant.scope, 23);
await seedSubscriptions(world.db, { ...merchant.scope, environment: 'LIVE' }, 1);

function list(query: string, key = merchant.testKey) {
  return world.request('GET', `/api/subscriptions${query}`, { key });
}

// "Lists subscriptions, paginated." "The response carries data plus pagination with page, limit,
// total and pages." Newest first
it('subscriptions are listed in pages, newest first', async () => {
  const { status, body } = await list('');
  expect(status).toBe(200);
  expect(body.pagination).toEqual({ page: 1, limit: 20, total: 23, pages: 2 });
  expect(body.data).toHaveLength(20);
  expect(body.data[0]).toEqual({
    subscriptionId: namedAddress('TEST-subscription-22'),
    state: 'expired',
    customer: {
      email: 'customer-22@example.com',
      customerId: 'user-22',
      walletAddress: namedAddress('wallet-22'),
    },
    plan: {
      planId: 'seeded',
      planName: 'Seeded',
      description: null,
      amount: '9007199254740993',
      interval: '3600',
      trialPeriodSeconds: '0',
      mint: USDC_MINT,
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

// "pages equals the number of pages for total items at limit items per page", and together they
// hold every subscription once
it('the pages together hold every subscription once', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&limit=7`)));
  const ids = pages.flatMap(({ body }) =>
    body.data.map((item: { subscriptionId: string }) => item.subscriptionId),
  );
  expect(ids).toEqual(
    Array.from({ length: 23 }, (_, index) => namedAddress(`TEST-subscription-${22 - index}`)),
  );
  expect(pages[3]?.body.pagination).toEqual({ page: 4, limit: 7, total: 23, pages: 4 });
});

// "List endpoints accept page and limit": a page after the last one is empty
it('a page after the last one is empty', async () => {
  expect((await list('?page=3')).body).toEqual({
    data: [],
    pagination: { page: 3, limit: 20, total: 23, pages: 2 },
  });
});

// "the default and maximum values of limit": 20 and 100; a limit of 1 and of 100 is allowed
it('a page has 20 subscriptions, and at most 100', async () => {
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
])('names %s as the invalid parameter of %s', async (param, query) => {
  const { status, body } = await list(query);
  expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'invalid_request', param });
});

it('in GraphQL a page has the same envelope, and the same bounds', async () => {
  const ask = (variables: { page?: number; limit?: number }) =>
    world.query(merchant.testKey, SUBSCRIPTIONS, variables);
  for (const variables of [{}, { page: 4, limit: 7 }, { page: 3 }]) {
    const { subscriptions } = await ask(variables);
    const query = new URLSearchParams(Object.entries(variables).map(([name, value]) => [name, `${value}`]));
    const { body } = await list(`?${query}`);
    expect(subscriptions.pagination).toEqual(body.pagination);
    expect(subscriptions.data.map(({ id }) => id)).toEqual(
      body.data.map((item: { subscriptionId: string }) => item.subscriptionId),
    );
  }
  for (const [param, variables] of [
    ['page', { page: 0 }],
    ['limit', { limit: 101 }],
  ] as const) {
    expect(await graphqlError(ask(variables))).toMatchObject({ code: 'invalid_request', param });
  }
});

it('a key lists its own merchant and environment only', async () => {
  expect((await list('', stranger.testKey)).body).toMatchObject({
    data: [],
    pagination: { total: 0, pages: 0 },
  });
  const { body } = await list('', merchant.liveKey);
  expect(body.data.map((item: { subscriptionId: string }) => item.subscriptionId)).toEqual([
    namedAddress('LIVE-subscription-0'),
  ]);
});
