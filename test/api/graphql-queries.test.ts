import { expect, it } from 'vitest';
import { seedPlan } from '../../tools/world/rows.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import {
  ME,
  MERCHANT_CHECKOUT_SESSION,
  PAYMENTS,
  PLAN,
  PLANS,
  PUBLIC_CHECKOUT_SESSION,
  SUBSCRIPTION,
  SUBSCRIPTIONS,
  SUBSCRIPTIONS_CONNECTION,
} from './documents.ts';
import { seedPayments, seedSubscriptions } from './seed.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const [merchant, seeded] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
const plan = await world.publishPlan(merchant, { description: 'All of it', trialPeriodSeconds: 7200 });
const subscription = await world.subscribe(merchant, plan, await world.newWallet(), {
  customerId: 'user-1',
  metadata: { campaign: 'autumn' },
});
await seedSubscriptions(world.db, seeded.scope, 23);

const invalid = (param: string) => ({ status: 200, code: 'invalid_request', param });

it('a key returns its merchant and environment', async () => {
  expect(await world.query(merchant.testKey, ME, {})).toEqual({
    merchant: {
      companyName: 'Acme',
      logoUrl: null,
      supportEmail: null,
      walletAddress: merchant.wallet.address,
    },
    environment: 'TEST',
  });
  expect(await world.query(merchant.liveKey, ME, {})).toMatchObject({ environment: 'LIVE' });
});

it('plan returns all fields of a plan', async () => {
  expect(await world.query(merchant.testKey, PLAN, { planId: 'pro' })).toEqual({
    plan: {
      planId: 'pro',
      name: 'Pro',
      description: 'All of it',
      amount: '5000000',
      interval: 86_400,
      trialPeriodSeconds: 7200,
      mint: plan.mint,
      address: plan.address,
      status: 'ACTIVE',
      endsAt: null,
      createdAt: plan.createdAt.toISOString(),
      publishedAt: plan.publishedAt?.toISOString(),
      merchant: { companyName: 'Acme' },
    },
  });
});

it('subscription returns all fields of a subscription', async () => {
  const answer = await world.query(merchant.testKey, SUBSCRIPTION, { id: subscription.address });
  expect(answer).toEqual({
    subscription: {
      id: subscription.address,
      lifeId: subscription.id,
      status: 'ACTIVE',
      walletAddress: subscription.walletAddress,
      metadata: { campaign: 'autumn' },
      startedAt: subscription.startedAt.toISOString(),
      nextPaymentAt: subscription.nextPaymentAt.toISOString(),
      nextAttemptAt: subscription.nextAttemptAt?.toISOString(),
      paymentCount: 0,
      failureCount: 0,
      cancelAtPeriodEnd: false,
      cancelledAt: null,
      accessUntil: null,
      createdAt: subscription.createdAt.toISOString(),
      customer: {
        email: 'ada@example.com',
        customerId: 'user-1',
        walletAddress: subscription.walletAddress,
      },
      plan: { planId: 'pro' },
      checkoutSession: { id: expect.stringMatching(/^cs_/), status: 'COMPLETED' },
      transitions: [
        { from: null, to: 'ACTIVE', reason: 'subscribed', at: subscription.createdAt.toISOString() },
      ],
      payments: { totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, edges: [] },
    },
  });
});

it('an address finds the newest subscription there, and a lifeId exactly one', async () => {
  const { id: _, lastSequence: __, ...fields } = subscription;
  const old = await world.db.subscription.create({
    data: { ...fields, metadata: {}, chainCreatedAt: 1n, status: 'EXPIRED', nextAttemptAt: null },
  });
  const newest = await world.query(merchant.testKey, SUBSCRIPTION, { id: subscription.address });
  expect(newest.subscription?.lifeId).toBe(subscription.id);
  const expired = await world.query(merchant.testKey, SUBSCRIPTION, { id: old.id });
  expect(expired.subscription).toMatchObject({ lifeId: old.id, status: 'EXPIRED' });
});

it('subscriptions returns a page', async () => {
  const { subscriptions } = await world.query(seeded.testKey, SUBSCRIPTIONS, { page: 2, limit: 10 });
  expect(subscriptions.pagination).toEqual({ page: 2, limit: 10, total: 23, pages: 3 });
  expect(subscriptions.data.map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => namedAddress(`TEST-subscription-${12 - index}`)),
  );
  expect(subscriptions.data[0]).toMatchObject({
    customer: { email: 'customer-12@example.com' },
    plan: { planId: 'seeded' },
  });
});

it.each([
  ['all', null, 23],
  ['a status', { status: 'PAST_DUE' as const }, 6],
  ['a plan', { planId: 'seeded' }, 23],
  ['no such plan', { planId: 'other' }, 0],
  ['an email', { customer: 'customer-3@example.com' }, 1],
  ["the merchant's id of a customer", { customer: 'user-4' }, 1],
  ['a wallet', { walletAddress: namedAddress('wallet-5') }, 1],
  [
    'two values that no subscription has together',
    { walletAddress: namedAddress('wallet-5'), customer: 'user-4' },
    0,
  ],
])('subscriptions are filtered by %s', async (_, filter, total) => {
  const { subscriptions } = await world.query(seeded.testKey, SUBSCRIPTIONS, { filter, limit: 1 });
  expect(subscriptions.pagination.total).toBe(total);
  const connection = await world.query(seeded.testKey, SUBSCRIPTIONS_CONNECTION, { filter });
  expect(connection.subscriptionsConnection.totalCount).toBe(total);
});

it.each([['filter.planId', { filter: { planId: 'a\0b' } }]])(
  'subscriptions names %s as wrong in %j',
  async (param, variables) => {
    expect(await graphqlError(world.query(seeded.testKey, SUBSCRIPTIONS, variables))).toMatchObject(
      invalid(param),
    );
  },
);

it('cursors walk through every subscription once', async () => {
  const ids: string[] = [];
  for (let after: string | null | undefined; ; ) {
    const answer = await world.query(seeded.testKey, SUBSCRIPTIONS_CONNECTION, { first: 10, after });
    const { edges, pageInfo, totalCount } = answer.subscriptionsConnection;
    expect(totalCount).toBe(23);
    ids.push(...edges.map(({ node }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(ids).toEqual(
    Array.from({ length: 23 }, (_, index) => namedAddress(`TEST-subscription-${22 - index}`)),
  );
});

it('cursors walk backwards too', async () => {
  for (const planId of ['one', 'two', 'three']) await seedPlan(world.db, seeded.scope, { planId });
  const drafts = { status: 'DRAFT' as const };
  const last = await world.query(seeded.testKey, PLANS, { ...drafts, last: 2 });
  expect(last.plans.edges.map(({ node }) => node.planId)).toEqual(['two', 'one']);
  expect(last.plans).toMatchObject({ totalCount: 3, pageInfo: { hasPreviousPage: true } });
  const { startCursor: before } = last.plans.pageInfo;
  const first = await world.query(seeded.testKey, PLANS, { ...drafts, last: 2, before });
  expect(first.plans.edges.map(({ node }) => node.planId)).toEqual(['three']);
  expect(first.plans.pageInfo.hasPreviousPage).toBe(false);
});

it.each([
  ['first', { first: 0 }],
  ['first', { first: 101 }],
  ['first', { first: -1 }],
  ['last', { last: 101 }],
  ['last', { first: 1, last: 1 }],
  ['after', { after: 'nonsense' }],
  ['after', { after: Buffer.from('GPC:S:nonsense').toString('base64') }],
  ['after', { after: '' }],
  ['before', { before: Buffer.from('GPC:N:1').toString('base64') }],
  ['before', { first: 1, before: Buffer.from(`GPC:S:${crypto.randomUUID()}`).toString('base64') }],
])('a connection names %s as wrong in %j', async (param, variables) => {
  expect(await graphqlError(world.query(seeded.testKey, PLANS, variables))).toMatchObject(invalid(param));
});

it('payments come with their attempts, newest first', async () => {
  const [missed, succeeded, failed, due] = await seedPayments(
    world.db,
    seeded.scope,
    namedAddress('TEST-subscription-0'),
  );
  const { payments } = await world.query(seeded.testKey, PAYMENTS, {
    subscriptionId: namedAddress('TEST-subscription-0'),
  });
  expect(payments.totalCount).toBe(4);
  expect(payments.edges.map(({ node }) => node)).toEqual([
    expect.objectContaining({ id: due?.id, status: 'DUE', attempts: [], paidAt: null, number: null }),
    expect.objectContaining({
      id: failed?.id,
      status: 'FAILED',
      attempts: [
        {
          status: 'VOID',
          failureCode: null,
          amountRequired: null,
          balanceAvailable: null,
          createdAt: '2026-11-03T00:00:00.000Z',
          settledAt: '2026-11-03T00:00:01.000Z',
        },
        {
          status: 'FAILED',
          failureCode: 'INSUFFICIENT_FUNDS',
          amountRequired: '5000000',
          balanceAvailable: '1',
          createdAt: '2026-11-03T00:00:01.000Z',
          settledAt: '2026-11-03T00:00:01.000Z',
        },
      ],
    }),
    {
      id: succeeded?.id,
      status: 'SUCCEEDED',
      amount: '5000000',
      dueAt: '2026-11-02T00:00:00.000Z',
      paidAt: '2026-11-03T00:00:01.000Z',
      number: 1,
      signature: 'signature',
      collectedByUs: true,
      finalized: true,
      createdAt: '2026-11-02T00:00:00.000Z',
      subscription: { id: namedAddress('TEST-subscription-0') },
      attempts: [],
    },
    expect.objectContaining({ id: missed?.id, status: 'MISSED' }),
  ]);
  const succeededOnly = await world.query(seeded.testKey, PAYMENTS, { status: 'SUCCEEDED' });
  expect(succeededOnly.payments.edges.map(({ node }) => node.id)).toEqual([succeeded?.id]);
  const nested = await world.query(seeded.testKey, SUBSCRIPTION, { id: namedAddress('TEST-subscription-0') });
  expect(nested.subscription?.payments).toMatchObject({
    totalCount: 4,
    pageInfo: { hasNextPage: true },
    edges: [{ node: { id: due?.id } }, { node: { id: failed?.id } }],
  });
});

it('checkoutSession returns the page’s fields, and all fields to its merchant', async () => {
  const id = await world.openSession(merchant, plan, {
    customerEmail: 'page@example.com',
    customerId: 'user-9',
    cancelUrl: 'https://shop.example/back',
    successUrl: 'https://shop.example/done',
    metadata: { secret: 'x' },
  });
  const { checkoutSession } = await world.query(undefined, PUBLIC_CHECKOUT_SESSION, { id });
  expect(checkoutSession).toMatchObject({
    id,
    url: `https://dues.example/checkout/${id}`,
    status: 'OPEN',
    completedAt: null,
    cancelUrl: 'https://shop.example/back',
    redirectUrl: null,
    customer: { email: 'page@example.com' },
    merchant: { companyName: 'Acme' },
    plan: { name: 'Pro', amount: '5000000' },
  });
  expect(await graphqlError(world.query(undefined, MERCHANT_CHECKOUT_SESSION, { id }))).toMatchObject({
    code: 'authentication_error',
  });
  expect(await world.query(merchant.testKey, MERCHANT_CHECKOUT_SESSION, { id })).toEqual({
    checkoutSession: {
      id,
      status: 'OPEN',
      successUrl: 'https://shop.example/done',
      customerId: 'user-9',
      metadata: { secret: 'x' },
      walletAddress: null,
      subscription: null,
    },
  });
});

it.each([
  ['checkoutSession', PUBLIC_CHECKOUT_SESSION, { id: 'cs_unknown' }, 'id'],
  ['checkoutSession with NUL', PUBLIC_CHECKOUT_SESSION, { id: 'cs_\0' }, 'id'],
])('%s that does not exist is refused', async (_, document, variables, param) => {
  const { code, param: wrongParam } = await graphqlError(world.query(undefined, document, variables));
  expect(wrongParam).toBe(param);
  expect(['not_found', 'invalid_request']).toContain(code);
});
