import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Variables } from 'graphql-request';
import { expect, it } from 'vitest';
import { recordStatements } from '../../tools/statements.ts';
import { SUBSCRIPTION_COUNTS, SUBSCRIPTIONS_CONNECTION } from '../api/documents.ts';
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
import { seedTransfer } from '../api/seed.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { RARE, seedMany } from './many-rows.ts';

const MANY = 2_000;

const world = await sharedByFile(startApiWorld());
const [merchant, stranger] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
await seedMany(world.db, merchant.scope, MANY);

function ask<R, V extends Variables>(
  document: TypedDocumentNode<R, V>,
  variables: V,
  key: string = merchant.testKey,
): Promise<R> {
  return world.query(key, document, variables);
}
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

it.each([
  ['the start of an email', { search: 'CUSTOMER-199' }, 11],
  ['the start of the merchant’s id', { search: '=user-199' }, 11],
  ['a wallet', { search: 'wallet-199' }, 1],
  ['a wallet that is the start of others', { search: 'wallet-19' }, 1],
  ['a wildcard of LIKE', { search: '%' }, 0],
  ['a range of time', { from: at(10), to: at(20) }, 10],
  ['two filters that no customer matches', { search: 'customer-1999', to: at(20) }, 0],
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
  expect(await graphqlError(ask(CUSTOMER, { id: 'nobody' }))).toMatchObject({
    code: 'not_found',
    param: 'id',
  });
});

it.each([
  ['an email, whatever its case', { search: 'CUSTOMER-7@example.com' }, 1],
  ["the merchant's id", { search: '=user-7' }, 1],
  ['a wallet', { search: 'wallet-7' }, 1],
  ['the start of an email', { search: 'customer-7' }, 0],
  ['a range of time', { from: at(10), to: at(20) }, 10],
  ['a plan and a status', { planId: 'small', status: 'PAST_DUE' as const }, MANY / RARE],
  ['several statuses', { statuses: ['PAST_DUE' as const, 'EXPIRED' as const] }, MANY / RARE],
  ['a status among others', { status: 'ACTIVE' as const, statuses: ['PAST_DUE' as const] }, 0],
  ['no status', { statuses: [] }, 0],
  ['their next payment', { nextPaymentFrom: at(86_410), nextPaymentTo: at(86_420) }, 10],
  ['their next payment and a plan', { nextPaymentFrom: at(86_400 + 1_800), planId: 'small' }, 3],
  ['an end with the period', { cancelAtPeriodEnd: true }, 0],
  ['an email in another case', { customer: 'customer-7@EXAMPLE.com' }, 1],
])('subscriptions are found by %s', async (_, filter, total) => {
  const { subscriptionsConnection } = await ask(SUBSCRIPTIONS_CONNECTION, { filter });
  expect(subscriptionsConnection.totalCount).toBe(total);
  expect(subscriptionsConnection.edges).toHaveLength(Math.min(total, 20));
});

it.each(['CREATED', 'NEXT_PAYMENT'] as const)(
  'cursors walk through all of two statuses once in the order %s',
  async (orderBy) => {
    const filter = { statuses: ['ACTIVE' as const, 'PAST_DUE' as const] };
    const forwards: string[] = [];
    for (let after: string | null | undefined; ; ) {
      const page = { first: 100, after };
      const { subscriptionsConnection: found } = await ask(SUBSCRIPTIONS_CONNECTION, {
        filter,
        orderBy,
        ...page,
      });
      forwards.push(...found.edges.map(({ node }) => node.id));
      if (!found.pageInfo.hasNextPage) break;
      after = found.pageInfo.endCursor;
    }
    const rows = await world.db.subscription.findMany({
      where: merchant.scope,
      orderBy: orderBy === 'CREATED' ? { createdAt: 'desc' } : { nextPaymentAt: 'asc' },
    });
    expect(forwards).toEqual(rows.map(({ address }) => address));
    const backwards: string[] = [];
    for (let before: string | null | undefined; ; ) {
      const page = { last: 100, before };
      const { subscriptionsConnection: found } = await ask(SUBSCRIPTIONS_CONNECTION, {
        filter,
        orderBy,
        ...page,
      });
      backwards.unshift(...found.edges.map(({ node }) => node.id));
      if (!found.pageInfo.hasPreviousPage) break;
      before = found.pageInfo.startCursor;
    }
    expect(backwards).toEqual(forwards);
  },
);

it('a list by next payment leaves out subscriptions without one', async () => {
  const { id } = await world.db.subscription.findFirstOrThrow({ where: { walletAddress: 'wallet-3' } });
  const count = async (variables: object) =>
    (await ask(SUBSCRIPTIONS_CONNECTION, variables)).subscriptionsConnection.totalCount;
  await world.db.subscription.update({ where: { id }, data: { cancelAtPeriodEnd: true } });
  expect(await count({ orderBy: 'NEXT_PAYMENT' })).toBe(MANY - 1);
  expect(await count({ filter: { cancelAtPeriodEnd: true } })).toBe(1);
  expect(await count({ filter: { nextPaymentTo: at(86_410) } })).toBe(8);
  await world.db.subscription.update({ where: { id }, data: { cancelAtPeriodEnd: false } });
});

it('subscriptions are counted by status, for their merchant only', async () => {
  const pastDue = MANY / RARE;
  const counts = { active: MANY - pastDue, pastDue, cancelled: 0, expired: 0, total: MANY };
  expect((await ask(SUBSCRIPTION_COUNTS, {})).subscriptionCounts).toEqual(counts);
  const none = { active: 0, pastDue: 0, cancelled: 0, expired: 0, total: 0 };
  for (const key of [stranger.testKey, merchant.liveKey]) {
    expect((await ask(SUBSCRIPTION_COUNTS, {}, key)).subscriptionCounts).toEqual(none);
  }
});

it('payments and subscriptions are found by the reason of the last failure', async () => {
  const where = { subscription: { walletAddress: 'wallet-1000' } };
  const { id: paymentId } = await world.db.payment.findFirstOrThrow({ where });
  const at = { createdAt: new Date(), settledAt: new Date() };
  const payments = async (failureCode: 'ACCOUNT_FROZEN' | 'INSUFFICIENT_FUNDS') =>
    (await ask(FILTERED_PAYMENTS, { failureCode })).payments.edges.map(({ node }) => node.id);
  const subscriptions = async (failureCode: 'ACCOUNT_FROZEN' | 'INSUFFICIENT_FUNDS') =>
    (await ask(SUBSCRIPTIONS_CONNECTION, { filter: { failureCode } })).subscriptionsConnection.totalCount;
  const attempt = { paymentId, failureCode: 'ACCOUNT_FROZEN' as const, ...at };
  await world.db.attempt.create({ data: { ...attempt, status: 'FAILED' } });
  expect(await payments('ACCOUNT_FROZEN')).toEqual([paymentId]);
  // Its subscription is past due, but this payment has ended.
  expect(await subscriptions('ACCOUNT_FROZEN')).toBe(0);
  await world.db.payment.update({ where: { id: paymentId }, data: { status: 'DUE' } });
  expect(await subscriptions('ACCOUNT_FROZEN')).toBe(1);
  const second = await world.db.attempt.create({ data: { ...attempt, status: 'VOID', failureCode: null } });
  expect(await payments('ACCOUNT_FROZEN')).toEqual([paymentId]);
  await world.db.attempt.update({
    where: { id: second.id },
    data: { status: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS' },
  });
  expect(await payments('ACCOUNT_FROZEN')).toEqual([]);
  expect(await payments('INSUFFICIENT_FUNDS')).toEqual([paymentId]);
  await world.db.attempt.deleteMany({ where: { paymentId } });
  await world.db.payment.update({ where: { id: paymentId }, data: { status: 'FAILED', failureCode: null } });
});

it('payments are found by their customer and by a transaction', async () => {
  const found = async (variables: object, key?: string) =>
    (await ask(FILTERED_PAYMENTS, variables, key)).payments.edges.map(({ node }) => node.id);
  const payment = await world.db.payment.findFirstOrThrow({
    where: { subscription: { walletAddress: 'wallet-11' } },
  });
  for (const customer of ['=user-11', 'CUSTOMER-11@example.com']) {
    expect(await found({ customer })).toEqual([payment.id]);
  }
  expect(await found({ customer: 'customer-11' })).toEqual([]);
  const signature = await seedTransfer(world.db, payment);
  expect(await found({ signature })).toEqual([payment.id]);
  expect(await found({ signature }, stranger.testKey)).toEqual([]);
  expect(await found({ signature: '4'.repeat(87) })).toEqual([]);
});

it('a subscription is found by its address and by its id', async () => {
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
  [
    'filter.nextPaymentTo',
    SUBSCRIPTIONS_CONNECTION,
    { filter: { nextPaymentFrom: at(2), nextPaymentTo: at(1) } },
  ],
  ['signature', FILTERED_PAYMENTS, { signature: 'nonsense' }],
  ['customer', FILTERED_PAYMENTS, { customer: '' }],
  ['type', EVENTS, { type: 'subscription.lost' }],
  ['search', CUSTOMERS, { search: '\0' }],
  ['after', CUSTOMERS, { after: Buffer.from(`GPC:S:${crypto.randomUUID()}`).toString('base64') }],
] as const)('%s is named as wrong', async (param, document, variables) => {
  const refused = await graphqlError(ask(document as typeof CUSTOMERS, variables as object));
  expect(refused).toMatchObject({ code: 'invalid_request', param });
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

it('a page of 20 takes as many statements as a page of 2, with any fields', async () => {
  const { db } = world;
  for (let number = 0; number < 18; number++) {
    const plan = await db.plan.findFirstOrThrow({ where: { ...merchant.scope, planId: 'small' } });
    const { id: _, ...terms } = plan;
    await db.plan.create({ data: { ...terms, planId: `copy-${number}`, address: `copy-${number}` } });
  }
  for (const document of [SUBSCRIPTION_PAGE, PLAN_PAGE] as const) {
    // The first query caches the key, so that the counted queries do not read it.
    await ask(document as typeof PLAN_PAGE, { first: 1 });
    const [few, many] = [
      await recordStatements(() => ask(document as typeof PLAN_PAGE, { first: 2 })),
      await recordStatements(() => ask(document as typeof PLAN_PAGE, { first: 20 })),
    ];
    const countRelevant = (statements: typeof few) =>
      statements.filter(({ text }) => /"(Subscription|Plan|Customer|PlanDay)"/.test(text)).length;
    expect(countRelevant(many)).toBe(countRelevant(few));
    expect(countRelevant(many)).toBeLessThanOrEqual(3);
  }
});

it('a history lists everything of a subscription, newest first, by cursor', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'told' });
  const subscription = await world.subscribe(merchant, plan, await world.newWallet());
  const { createdAt } = subscription;
  const later = new Date(createdAt.getTime() + 1_000);
  await world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId: subscription.id,
      periodStart: 1n,
      amount: 5n,
      // The chain's time, which may be before ours.
      dueAt: new Date(createdAt.getTime() - 1_000),
      // A first payment is often recorded at the very time of the start.
      createdAt,
      attempts: {
        create: {
          status: 'FAILED',
          failureCode: 'INSUFFICIENT_FUNDS',
          amountRequired: 5n,
          balanceAvailable: 1n,
          createdAt: later,
          settledAt: later,
        },
      },
    },
  });
  const read = async (page: object) => {
    const { subscription: answer } = await ask(HISTORY, { id: subscription.address, ...page });
    if (!answer) throw new Error('no subscription');
    return answer.history;
  };
  const history = await read({});
  expect(history.pageInfo.hasNextPage).toBe(false);
  expect(history.edges.map((edge) => edge?.node)).toEqual([
    {
      at: later.toISOString(),
      item: { __typename: 'Attempt', attemptStatus: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS' },
    },
    {
      at: createdAt.toISOString(),
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
  const nodes = history.edges.map((edge) => edge?.node);
  const first = await read({ first: 3 });
  expect(first.edges.map((edge) => edge?.node)).toEqual(nodes.slice(0, 3));
  const second = await read({ first: 3, after: first.pageInfo.endCursor });
  expect(second.edges.map((edge) => edge?.node)).toEqual(nodes.slice(3));
  expect(second.pageInfo.hasNextPage).toBe(false);
  const previous = await read({ last: 2, before: second.pageInfo.startCursor });
  expect(previous.edges.map((edge) => edge?.node)).toEqual(nodes.slice(1, 3));
  expect(previous.pageInfo.hasPreviousPage).toBe(true);
  const other = await world.db.event.findFirstOrThrow({
    where: { NOT: { subscriptionId: subscription.id } },
  });
  const after = Buffer.from(`GPC:S:${other.id}`).toString('base64');
  expect(await graphqlError(read({ first: 1, after }))).toMatchObject({ param: 'after' });
});
