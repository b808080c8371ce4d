import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Variables } from 'graphql-request';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SUBSCRIPTIONS_CONNECTION } from '../api/documents.ts';
import {
  CUSTOMER,
  CUSTOMERS,
  EVENTS,
  FILTERED_PAYMENTS,
  HISTORY,
  PLAN_PAGE,
  PLAN_TOTALS,
  SESSION_PLAN_TOTALS,
  SUBSCRIPTION_PAGE,
} from '../api/management-documents.ts';
import { type ApiWorld, graphqlError, type KeyedMerchant, startApiWorld } from '../api/world.ts';
import { namedAddress } from '../support/named-address.ts';
import { RARE, seedMany } from './many-rows.ts';
import { statementsOf } from './statements.ts';

const MANY = 2_000;

let world: ApiWorld;
let merchant: KeyedMerchant;
let stranger: KeyedMerchant;
beforeAll(async () => {
  world = await startApiWorld();
  [merchant, stranger] = [await world.keyedMerchant(), await world.keyedMerchant()];
  await seedMany(world.db, merchant.scope, MANY);
});
afterAll(() => world.close());

function ask<R, V extends Variables>(
  document: TypedDocumentNode<R, V>,
  variables: V,
  key: string = merchant.testKey,
): Promise<R> {
  return world.query(key, document, variables);
}
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

it.each([
  ['how an email begins', { search: 'CUSTOMER-199' }, 11],
  ['how an id begins', { search: '=user-199' }, 11],
  ['a whole wallet', { search: 'wallet-199' }, 1],
  ['half a wallet', { search: 'wallet-19' }, 1],
  ['what means something to LIKE', { search: '%' }, 0],
  ['a stretch of time', { from: at(10), to: at(20) }, 10],
  ['two things that do not meet', { search: 'customer-1999', to: at(20) }, 0],
])('customers are found by %s', async (_, filter, total) => {
  const { customers } = await ask(CUSTOMERS, filter);
  expect(customers.totalCount).toBe(total);
  expect(customers.edges).toHaveLength(Math.min(total, 20));
});

it('cursors walk through every customer once, forwards and backwards', async () => {
  const forwards: string[] = [];
  for (let after: string | null | undefined; ; ) {
    const { customers } = await ask(CUSTOMERS, { search: 'customer-1', first: 100, after });
    forwards.push(...customers.edges.map(({ node }) => node.id));
    if (!customers.pageInfo.hasNextPage) break;
    after = customers.pageInfo.endCursor;
  }
  expect(new Set(forwards).size).toBe(1_111);
  const backwards: string[] = [];
  for (let before: string | null | undefined; ; ) {
    const { customers } = await ask(CUSTOMERS, { search: 'customer-1', last: 100, before });
    backwards.unshift(...customers.edges.map(({ node }) => node.id));
    if (!customers.pageInfo.hasPreviousPage) break;
    before = customers.pageInfo.startCursor;
  }
  expect(backwards).toEqual(forwards);
});

it('a customer comes with its subscriptions', async () => {
  const { customers } = await ask(CUSTOMERS, { search: 'customer-1000@' });
  const id = customers.edges[0]?.node.id ?? '';
  expect((await ask(CUSTOMER, { id })).customer).toMatchObject({
    email: 'Customer-1000@example.com',
    createdAt: at(1000),
    subscriptions: { totalCount: 1, edges: [{ node: { status: 'PAST_DUE', plan: { planId: 'small' } } }] },
  });
  for (const key of [stranger.testKey, merchant.liveKey]) {
    const refused = await graphqlError(ask(CUSTOMER, { id }, key));
    expect(refused).toMatchObject({ code: 'not_found', param: 'id' });
  }
  expect(await graphqlError(ask(CUSTOMER, { id: 'nobody' }))).toMatchObject({
    code: 'not_found',
    param: 'id',
  });
});

it.each([
  ['an email, whatever its case', { search: 'CUSTOMER-7@example.com' }, 1],
  ["the merchant's id", { search: '=user-7' }, 1],
  ['a wallet', { search: 'wallet-7' }, 1],
  ['half an email', { search: 'customer-7' }, 0],
  ['a stretch of time', { from: at(10), to: at(20) }, 10],
  ['a plan and a status', { planId: 'small', status: 'PAST_DUE' as const }, MANY / RARE],
  ['an email in other letters', { customer: 'customer-7@EXAMPLE.com' }, 1],
])('subscriptions are found by %s', async (_, filter, total) => {
  const { subscriptionsConnection } = await ask(SUBSCRIPTIONS_CONNECTION, { filter });
  expect(subscriptionsConnection.totalCount).toBe(total);
  expect(subscriptionsConnection.edges).toHaveLength(Math.min(total, 20));
});

it('a subscription is found by its address and by the id of one life', async () => {
  const subscription = await world.db.subscription.findFirstOrThrow({ where: { walletAddress: 'wallet-9' } });
  for (const search of [subscription.address, subscription.id]) {
    const { subscriptionsConnection } = await ask(SUBSCRIPTIONS_CONNECTION, { filter: { search } });
    expect(subscriptionsConnection.edges.map(({ node }) => node.id)).toEqual([subscription.address]);
  }
});

it('payments are filtered by plan, subscription, status and time', async () => {
  const { id } = await world.db.subscription.findFirstOrThrow({ where: { walletAddress: 'wallet-9' } });
  const address = namedAddress('subscription-9');
  await world.db.subscription.update({ where: { id }, data: { address } });
  const count = async (variables: object) => (await ask(FILTERED_PAYMENTS, variables)).payments.totalCount;
  expect(await count({ planId: 'small' })).toBe(MANY / 100);
  expect(await count({ status: 'FAILED' })).toBe(MANY / RARE);
  expect(await count({ status: 'SUCCEEDED', planId: 'small', from: at(0), to: at(1000) })).toBe(9);
  expect(await count({ subscriptionId: address })).toBe(1);
  expect(await count({ subscriptionId: id })).toBe(1);
  expect(await count({ subscriptionId: namedAddress('unknown') })).toBe(0);
});

it('events are filtered by type, subscription and time, and walked by cursor', async () => {
  const { address, id } = await world.db.subscription.findFirstOrThrow({
    where: { walletAddress: 'wallet-1000' },
  });
  const { events } = await ask(EVENTS, { subscriptionId: id });
  expect(events.edges.map(({ node }) => node)).toEqual([
    {
      id: expect.any(String),
      type: 'subscription.payment_failed',
      sequence: 1,
      createdAt: at(1000),
      data: { subscriptionId: address },
      subscription: { id: address },
    },
  ]);
  const first = await ask(EVENTS, { type: 'subscription.payment_failed', first: 1 });
  expect(first.events).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
  const { endCursor: after } = first.events.pageInfo;
  const second = await ask(EVENTS, { type: 'subscription.payment_failed', first: 1, after });
  expect(second.events.pageInfo.hasNextPage).toBe(false);
  expect(second.events.edges[0]?.node.subscription?.id).toBe(address);
  expect((await ask(EVENTS, { from: at(10), to: at(13) })).events.totalCount).toBe(3);
});

it.each([
  ['to', CUSTOMERS, { from: at(1), to: at(1) }],
  ['to', FILTERED_PAYMENTS, { from: at(2), to: at(1) }],
  ['to', EVENTS, { from: at(2), to: at(1) }],
  ['filter.to', SUBSCRIPTIONS_CONNECTION, { filter: { from: at(2), to: at(1) } }],
  ['type', EVENTS, { type: 'subscription.lost' }],
  ['search', CUSTOMERS, { search: '\0' }],
  ['after', CUSTOMERS, { after: Buffer.from(`GPC:S:${crypto.randomUUID()}`).toString('base64') }],
] as const)('%s is named as wrong', async (param, document, variables) => {
  const refused = await graphqlError(ask(document as typeof CUSTOMERS, variables as object));
  expect(refused).toMatchObject({ code: 'invalid_request', param });
});

it("another merchant's row is no cursor", async () => {
  const { customers } = await ask(CUSTOMERS, { first: 1 });
  const after = customers.pageInfo.endCursor;
  const refused = await graphqlError(ask(CUSTOMERS, { after }, stranger.testKey));
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'after' });
});

it('nothing of it is open to another merchant or environment', async () => {
  for (const key of [stranger.testKey, merchant.liveKey]) {
    expect((await ask(CUSTOMERS, {}, key)).customers).toMatchObject({ totalCount: 0, edges: [] });
    expect((await ask(EVENTS, {}, key)).events).toMatchObject({ totalCount: 0, edges: [] });
    expect((await ask(FILTERED_PAYMENTS, { planId: 'small' }, key)).payments.totalCount).toBe(0);
    expect((await ask(PLAN_TOTALS, {}, key)).plans.edges).toEqual([]);
  }
});

it('plans come with their subscribers and revenue, for their merchant only', async () => {
  const { plans } = await ask(PLAN_TOTALS, {});
  expect(plans.edges.map(({ node }) => node)).toEqual(
    expect.arrayContaining([
      {
        planId: 'small',
        revenue: '90000000',
        paymentCount: 18,
        subscribers: { active: 18, pastDue: 2, cancelled: 0, expired: 0 },
      },
      expect.objectContaining({ planId: 'big', paymentCount: 1_980, revenue: '9900000000' }),
    ]),
  );
  const own = await world.publishPlan(stranger);
  const id = await world.openSession(stranger, own);
  for (const key of [undefined, merchant.testKey]) {
    const { code } = await graphqlError(world.query(key, SESSION_PLAN_TOTALS, { id }));
    expect(['authentication_error', 'not_found']).toContain(code);
  }
  const { checkoutSession } = await ask(SESSION_PLAN_TOTALS, { id }, stranger.testKey);
  expect(checkoutSession?.plan.revenue).toBe('0');
});

it('a page of 20 costs as many statements as a page of 2, whatever it asks of its rows', async () => {
  const { db } = world;
  for (let number = 0; number < 18; number++) {
    const plan = await db.plan.findFirstOrThrow({ where: { ...merchant.scope, planId: 'small' } });
    const { id: _, ...terms } = plan;
    await db.plan.create({ data: { ...terms, planId: `copy-${number}`, address: `copy-${number}` } });
  }
  for (const document of [SUBSCRIPTION_PAGE, PLAN_PAGE] as const) {
    // Once before, so that what is remembered of the key does not count.
    await ask(document as typeof PLAN_PAGE, { first: 1 });
    const [few, many] = [
      await statementsOf(() => ask(document as typeof PLAN_PAGE, { first: 2 })),
      await statementsOf(() => ask(document as typeof PLAN_PAGE, { first: 20 })),
    ];
    const about = (statements: typeof few) =>
      statements.filter(({ text }) => /"(Subscription|Plan|Customer|PlanDay)"/.test(text)).length;
    expect(about(many)).toBe(about(few));
    expect(about(many)).toBeLessThanOrEqual(3);
  }
});

it('a history tells everything that happened in one line, newest first, by cursor', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'told' });
  const subscription = await world.subscribe(merchant, plan, await world.newWallet());
  const { createdAt } = subscription;
  const later = new Date(createdAt.getTime() + 1_000);
  await world.db.payment.create({
    data: {
      ...{ ...merchant.scope, subscriptionId: subscription.id, periodStart: 1n, amount: 5n },
      ...{ dueAt: later, createdAt: later },
      attempts: {
        create: {
          ...{ status: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS' },
          ...{ amountRequired: 5n, balanceAvailable: 1n, createdAt: later, settledAt: later },
        },
      },
    },
  });
  const read = async (page: object) => {
    const { subscription: answer } = await ask(HISTORY, { id: subscription.address, ...page });
    if (!answer) throw new Error('no subscription');
    return answer.history;
  };
  const whole = await read({});
  expect(whole.pageInfo.hasNextPage).toBe(false);
  expect(whole.edges.map((edge) => edge?.node)).toEqual([
    {
      at: later.toISOString(),
      item: { __typename: 'Attempt', attemptStatus: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS' },
    },
    {
      at: later.toISOString(),
      item: { __typename: 'Payment', id: expect.any(String), paymentStatus: 'DUE', amount: '5' },
    },
    {
      at: createdAt.toISOString(),
      item: { __typename: 'Event', id: expect.any(String), type: 'subscription.created' },
    },
    {
      at: createdAt.toISOString(),
      item: { __typename: 'SubscriptionTransition', to: 'ACTIVE', reason: 'subscribed' },
    },
  ]);
  const nodes = whole.edges.map((edge) => edge?.node);
  const first = await read({ first: 3 });
  expect(first.edges.map((edge) => edge?.node)).toEqual(nodes.slice(0, 3));
  const second = await read({ first: 3, after: first.pageInfo.endCursor });
  expect(second.edges.map((edge) => edge?.node)).toEqual(nodes.slice(3));
  expect(second.pageInfo.hasNextPage).toBe(false);
  const back = await read({ last: 2, before: second.pageInfo.startCursor });
  expect(back.edges.map((edge) => edge?.node)).toEqual(nodes.slice(1, 3));
  expect(back.pageInfo.hasPreviousPage).toBe(true);
  const other = await world.db.event.findFirstOrThrow({
    where: { NOT: { subscriptionId: subscription.id } },
  });
  const after = Buffer.from(`GPC:S:${other.id}`).toString('base64');
  expect(await graphqlError(read({ first: 1, after }))).toMatchObject({ param: 'after' });
});
