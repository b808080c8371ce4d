import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import {
  CANCEL,
  COMPLETE,
  CREATE_CHECKOUT_SESSION,
  CREATE_ENDPOINT,
  CREATE_PLAN,
  PUBLISH_PLAN,
  WEBHOOK_ENDPOINTS,
} from './documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);

const order = { planId: 'pro', customerEmail: 'ada@example.com' };
const invalid = (param: string) => ({ code: 'invalid_request', param });

it('createCheckoutSession returns the session that it opens', async () => {
  const input = { ...order, metadata: { nested: [1, { deep: true }] }, idempotencyKey: 'order-1' };
  const { createCheckoutSession: session } = await world.query(merchant.testKey, CREATE_CHECKOUT_SESSION, {
    input,
  });
  expect(session).toEqual({
    id: expect.stringMatching(/^cs_/),
    url: `https://dues.example/checkout/${session.id}`,
    status: 'OPEN',
    expiresAt: expect.stringMatching(/Z$/),
    metadata: input.metadata,
    plan: { planId: 'pro' },
  });
});

it.each([
  ['planId', { ...order, planId: 'none' }],
  ['customerEmail', { ...order, customerEmail: 'nobody' }],
  ['metadata', { ...order, metadata: 'text' }],
  ['metadata.key', { ...order, metadata: { key: 'a\0b' } }],
  ['idempotencyKey', { ...order, idempotencyKey: '' }],
])('createCheckoutSession names %s as wrong in %j', async (param, input) => {
  expect(await graphqlError(world.query(merchant.testKey, CREATE_CHECKOUT_SESSION, { input }))).toMatchObject(
    invalid(param),
  );
});

it('completeCheckout needs no key, and returns the same result when it is repeated', async () => {
  const sessionId = await world.openSession(merchant, plan, { successUrl: 'https://shop.example/' });
  const approved = await world.approve(sessionId, plan, await world.newWallet());
  const variables = { sessionId, ...approved };
  const completed = await world.query(undefined, COMPLETE, variables);
  expect(completed).toEqual({
    completeCheckout: {
      sessionId,
      subscriptionId: approved.subscriptionPda,
      redirectUrl: `https://shop.example/?session_id=${sessionId}`,
    },
  });
  expect(await world.query(undefined, COMPLETE, variables)).toEqual(completed);
  const other = { ...variables, userWallet: merchant.wallet.address };
  expect(await graphqlError(world.query(undefined, COMPLETE, other))).toMatchObject(invalid('userWallet'));
  const unknown = { ...variables, sessionId: 'cs_unknown' };
  expect(await graphqlError(world.query(undefined, COMPLETE, unknown))).toMatchObject({
    code: 'not_found',
    param: 'sessionId',
  });
});

it('createPlan stores a draft, whose transaction publishes it', async () => {
  const input = {
    planId: 'gold',
    name: 'Gold',
    amount: '12500000',
    interval: 7200,
    trialPeriodSeconds: 3600,
  };
  const { createPlan } = await world.query(merchant.testKey, CREATE_PLAN, { input });
  expect(createPlan).toEqual({
    plan: { planId: 'gold', status: 'DRAFT', amount: '12500000', interval: 7200, trialPeriodSeconds: 3600 },
    transaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
  });
  const { publishPlanTransaction } = await world.query(merchant.testKey, PUBLISH_PLAN, { planId: 'gold' });
  await world.sign(merchant.wallet, publishPlanTransaction.transaction);
  const { address } = await world.db.plan.findFirstOrThrow({ where: { planId: 'gold' } });
  await world.mirror(address);
  expect(await graphqlError(world.query(merchant.testKey, PUBLISH_PLAN, { planId: 'gold' }))).toMatchObject(
    invalid('planId'),
  );
});

const terms = { planId: 'terms', name: 'Terms', amount: '1', interval: 3600 };
it.each([
  ['planId', { ...terms, planId: 'pro' }],
  ['name', { ...terms, name: '' }],
  ['amount', { ...terms, amount: '0' }],
  ['amount', { ...terms, amount: '9223372036854775808' }],
  ['interval', { ...terms, interval: 3601 }],
  ['interval', { ...terms, interval: -3600 }],
  ['interval', { ...terms, namedInterval: 'MONTH' as const }],
  ['interval', { ...terms, interval: undefined }],
  ['trialPeriodSeconds', { ...terms, trialPeriodSeconds: -1 }],
  ['mint', { ...terms, mint: 'x' }],
  ['collectWithinSeconds', { ...terms, collectWithinSeconds: 361 }],
  ['collectWithinSeconds', { ...terms, collectWithinSeconds: -1 }],
])('createPlan names %s as wrong in %j', async (param, input) => {
  expect(await graphqlError(world.query(merchant.testKey, CREATE_PLAN, { input }))).toMatchObject(
    invalid(param),
  );
});

it.each([
  ['MONTH', 2_628_000],
  ['QUARTER', 7_884_000],
  ['YEAR', 31_536_000],
] as const)('createPlan takes the interval %s', async (namedInterval, interval) => {
  const input = { ...terms, planId: namedInterval, interval: undefined, namedInterval };
  const { createPlan } = await world.query(merchant.testKey, CREATE_PLAN, { input });
  expect(createPlan.plan).toMatchObject({ interval });
});

it.each(['1.5', '-1', '', '1e6', '0x10', ' 1', '18446744073709551616', '1'.repeat(1000)])(
  'an amount of %j is refused',
  async (amount) => {
    const refused = await graphqlError(
      world.query(merchant.testKey, CREATE_PLAN, { input: { ...terms, amount } }),
    );
    expect(refused).toMatchObject({ code: 'invalid_request' });
    expect(refused.message).toContain('integer string');
  },
);

it('cancelSubscription stops collection at the end of the period, and then at once', async () => {
  // Nothing is paid, so access ends when the first payment would be due.
  const { address, startedAt } = await world.subscribe(merchant, plan, await world.newWallet());
  const atPeriodEnd = await world.query(merchant.testKey, CANCEL, {
    subscription: address,
    when: 'PERIOD_END',
  });
  expect(atPeriodEnd.cancelSubscription).toEqual({
    subscription: {
      id: address,
      status: 'ACTIVE',
      cancelAtPeriodEnd: true,
      nextPaymentAt: null,
      accessUntil: startedAt.toISOString(),
    },
    transaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
  });
  const atOnce = await world.query(merchant.testKey, CANCEL, { subscription: address, when: 'NOW' });
  expect(atOnce.cancelSubscription.subscription).toMatchObject({
    id: address,
    status: 'CANCELLED',
    cancelAtPeriodEnd: false,
    nextPaymentAt: null,
  });
  const again = await world.query(merchant.testKey, CANCEL, { subscription: address, when: 'NOW' });
  expect(again.cancelSubscription.subscription).toEqual(atOnce.cancelSubscription.subscription);
});

it('createWebhookEndpoint returns the secret once', async () => {
  const variables = { url: 'https://shop.example/hook', eventTypes: ['subscription.created'] };
  const { createWebhookEndpoint } = await world.query(merchant.testKey, CREATE_ENDPOINT, variables);
  expect(createWebhookEndpoint).toEqual({
    endpoint: { id: expect.any(String), ...variables, status: 'ENABLED' },
    secret: expect.stringMatching(/^whsec_/),
  });
  const { webhookEndpoints } = await world.query(merchant.testKey, WEBHOOK_ENDPOINTS, {});
  expect(webhookEndpoints.edges).toMatchObject([{ node: createWebhookEndpoint.endpoint }]);
  expect(JSON.stringify(webhookEndpoints)).not.toContain('whsec_');
});

it.each([
  ['url', { url: 'https://127.0.0.1/' }],
  ['eventTypes', { url: 'https://shop.example/', eventTypes: ['nothing'] }],
])('createWebhookEndpoint names %s as wrong in %j', async (param, variables) => {
  expect(await graphqlError(world.query(merchant.testKey, CREATE_ENDPOINT, variables))).toMatchObject(
    invalid(param),
  );
});
