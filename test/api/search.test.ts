import { expect, it } from 'vitest';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { EVENT, PAYMENT, SEARCH } from './dashboard-documents.ts';
import { seedPayments, seedTransfer } from './seed.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const other = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
const request = { customerEmail: 'Ada@Example.com', customerId: 'user-1815' };
const subscription = await world.subscribe(merchant, plan, await world.newWallet(), request);
await seedPayments(world.db, merchant.scope, subscription.address);

const MISSING = '00000000-0000-7000-8000-000000000000';

async function kindsFor(text: string, key = merchant.testKey): Promise<string[]> {
  const { search } = await world.query(key, SEARCH, { text });
  return search.map(({ kind }) => kind);
}

it('one payment is read by its id, only by its merchant', async () => {
  const { id } = await world.db.payment.findFirstOrThrow({ where: merchant.scope });
  const { payment } = await world.query(merchant.testKey, PAYMENT, { id });
  expect(payment).toMatchObject({ id, subscription: { id: subscription.address } });
  for (const [key, requestedId] of [
    [other.testKey, id],
    [merchant.liveKey, id],
    [merchant.testKey, MISSING],
    [merchant.testKey, 'no id'],
  ] as const) {
    expect(await graphqlError(world.query(key, PAYMENT, { id: requestedId }))).toMatchObject({
      code: 'not_found',
      param: 'id',
    });
  }
});

it('one event is read by its id with its deliveries, only by its merchant', async () => {
  const { id } = await world.db.event.findFirstOrThrow({
    where: { ...merchant.scope, type: 'subscription.created' },
  });
  const url = 'https://shop.example/hook';
  const endpoint = await world.db.webhookEndpoint.create({
    data: { ...merchant.scope, url, encryptedSecret: Buffer.from('x') },
  });
  const delivery = await world.db.delivery.create({
    data: {
      ...merchant.scope,
      eventId: id,
      endpointId: endpoint.id,
      createdAt: world.ctx.clock.now(),
      status: 'SUCCEEDED',
    },
  });
  const { event } = await world.query(merchant.testKey, EVENT, { id });
  expect(event).toMatchObject({
    id,
    type: 'subscription.created',
    subscription: { id: subscription.address },
    deliveries: [{ id: delivery.id, status: 'SUCCEEDED', endpoint: { url } }],
  });
  for (const [key, requestedId] of [
    [other.testKey, id],
    [merchant.testKey, MISSING],
    [merchant.testKey, 'no id'],
  ] as const) {
    expect(await graphqlError(world.query(key, EVENT, { id: requestedId }))).toMatchObject({
      code: 'not_found',
      param: 'id',
    });
  }
});

it('a search finds a customer by wallet, email and the merchant’s id', async () => {
  const [customer, subscriptionHit] = [
    { kind: 'CUSTOMER', id: subscription.customerId, label: 'Ada@Example.com' },
    { kind: 'SUBSCRIPTION', id: subscription.id, label: 'Pro', detail: 'Ada@Example.com' },
  ];
  for (const text of [subscription.walletAddress, ' ada@ex', 'user-18']) {
    const { search } = await world.query(merchant.testKey, SEARCH, { text });
    expect(search).toMatchObject([customer, subscriptionHit]);
  }
  expect(await kindsFor('ada@example.org')).toEqual([]);
});

it('a search finds plans and subscriptions by address, and a plan by its id', async () => {
  expect(await kindsFor(plan.address)).toEqual(['PLAN']);
  expect(await kindsFor(plan.planId)).toEqual(['PLAN']);
  expect(await kindsFor(subscription.address)).toEqual(['SUBSCRIPTION']);
});

it('a search finds the payments of a transaction', async () => {
  const payment = await world.db.payment.findFirstOrThrow({ where: { ...merchant.scope, number: 1 } });
  const signature = await seedTransfer(world.db, payment);
  const { search } = await world.query(merchant.testKey, SEARCH, { text: signature });
  expect(search).toMatchObject([
    { kind: 'PAYMENT', id: payment.id, label: 'Pro', detail: 'Ada@Example.com' },
  ]);
  expect(await kindsFor(signature, other.testKey)).toEqual([]);
});

it('a search finds rows of each kind by id, and none of other merchants', async () => {
  const { db } = world;
  const where = merchant.scope;
  const session = await world.openSession(merchant, plan);
  const ids: [string, string][] = [
    ['CUSTOMER', subscription.customerId],
    ['SUBSCRIPTION', subscription.id],
    ['PAYMENT', (await db.payment.findFirstOrThrow({ where })).id],
    ['EVENT', (await db.event.findFirstOrThrow({ where })).id],
    ['WEBHOOK_ENDPOINT', (await db.webhookEndpoint.findFirstOrThrow({ where })).id],
    ['WEBHOOK_DELIVERY', (await db.delivery.findFirstOrThrow({ where })).id],
    ['API_KEY', (await db.apiKey.findFirstOrThrow({ where })).id],
    ['CHECKOUT_SESSION', session],
  ];
  for (const [kind, id] of ids) {
    expect(await kindsFor(id)).toEqual([kind]);
    expect(await kindsFor(id, other.testKey)).toEqual([]);
    expect(await kindsFor(id, merchant.liveKey)).toEqual([]);
  }
});

it('a search finds discounts by id, and by the beginning of name or code', async () => {
  const { id } = await createDiscount(world.ctx, merchant.scope, {
    name: 'Spring 100%',
    code: 'TULIP_26',
    percentBps: 1_000,
  });
  for (const text of [id, 'spring 1', 'SPRING 100%', 'tulip_', 'Tulip_26']) {
    const { search } = await world.query(merchant.testKey, SEARCH, { text });
    expect(search).toMatchObject([{ kind: 'DISCOUNT', id, label: 'Spring 100%', detail: 'TULIP_26' }]);
    expect(await kindsFor(text, other.testKey)).toEqual([]);
  }
  expect(await kindsFor('tulip%')).toEqual([]);
});

it('a search returns at most 20 hits, and refuses an invalid text', async () => {
  const customers = Array.from({ length: 25 }, (_, index) => ({
    ...merchant.scope,
    email: `crowd-${index}@example.com`,
    walletAddress: `crowd-${index}`,
  }));
  await world.db.customer.createMany({ data: customers });
  expect(await kindsFor('crowd-')).toEqual(Array(20).fill('CUSTOMER'));
  for (const text of ['', '  ', 'x'.repeat(256), 'a\0b']) {
    expect(await graphqlError(world.query(merchant.testKey, SEARCH, { text }))).toMatchObject({
      code: 'invalid_request',
      param: 'text',
    });
  }
  // The wildcards of LIKE are plain text here.
  expect(await kindsFor('crowd%')).toEqual([]);
  expect(await graphqlError(world.query(undefined, SEARCH, { text: 'x' }))).toMatchObject({
    code: 'authentication_error',
  });
});
