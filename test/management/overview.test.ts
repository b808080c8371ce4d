/** The figures of the dashboard's first page, its customers and its endpoints. */
import { expect, it } from 'vitest';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import { eventTypes } from '../../src/domain/messages/event/types.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { sampleEvents } from '../../src/domain/messages/webhook/sample-events.ts';
import { sendTestEvent } from '../../src/domain/messages/webhook/send-test-event.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import {
  ABOUT_PAYMENT,
  CONVERSION,
  ENDPOINT_STATS,
  EVENTS_ABOUT,
  PAID_BY,
  REFUSED_DELIVERIES,
  UPCOMING,
  UPDATE_CUSTOMER,
} from '../api/overview-documents.ts';
import { seedPayments, seedReceipt } from '../api/seed.ts';
import { graphqlError, type KeyedMerchant, startApiWorld } from '../api/world.ts';
import { PRICE } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const [merchant, stranger] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];
const plan = await world.publishPlan(merchant);
const subscription = await world.subscribe(merchant, plan, await world.newWallet());

async function twoPlans(seller: KeyedMerchant): Promise<[Plan, Plan]> {
  return [
    await world.publishPlan(seller, { planId: 'one' }),
    await world.publishPlan(seller, { planId: 'two' }),
  ];
}

it('upcoming charges repeat every day, with the number of short wallets', async () => {
  const poor = await world.subscribe(merchant, plan, await world.newWallet(PRICE - 1n));
  const ask = (until: string, key = merchant.testKey) => world.query(key, UPCOMING, { until });
  const twoCharges = { count: 2, amount: { amount: String(2n * PRICE) } };
  expect((await ask('2026-12-03')).upcomingCharges).toEqual([
    { day: '2026-12-01', ...twoCharges, short: 1, shortChecked: 2 },
    { day: '2026-12-02', ...twoCharges, short: 0, shortChecked: 0 },
    { day: '2026-12-03', ...twoCharges, short: 0, shortChecked: 0 },
  ]);
  await world.db.subscription.update({ where: { id: poor.id }, data: { cancelAtPeriodEnd: true } });
  const one = await ask('2026-12-01');
  expect(one.upcomingCharges).toMatchObject([{ count: 1, short: 0, shortChecked: 1 }]);
  expect((await ask('2026-12-03', stranger.testKey)).upcomingCharges).toEqual([]);
  for (const until of ['2026-11-30', '2027-01-01', 'tomorrow']) {
    expect(await graphqlError(ask(until))).toMatchObject({ code: 'invalid_request', param: 'until' });
  }
});

it('forecasts leave out payments that are waived', async () => {
  const seller = await world.newKeyedMerchant();
  const wallet = await world.newWallet();
  const { id, customerId, nextPaymentAt } = await world.subscribe(
    seller,
    await world.publishPlan(seller),
    wallet,
  );
  const due = (days: number) => new Date(nextPaymentAt.getTime() + days * 86_400_000);
  const forecast = async (waivedFrom: Date | null, waivedUntil: Date | null) => {
    await world.db.subscription.update({ where: { id }, data: { waivedFrom, waivedUntil } });
    const { upcomingCharges } = await world.query(seller.testKey, UPCOMING, { until: '2026-12-04' });
    const { customer } = await world.query(seller.testKey, PAID_BY, { id: customerId });
    const days = upcomingCharges.map(({ day, shortChecked }) => `${day.slice(-2)}:${shortChecked}`).join(' ');
    return { days, next: customer?.nextCharge?.at };
  };
  const at = (days: number) => due(days).toISOString();
  expect(await forecast(null, null)).toEqual({ days: '01:1 02:0 03:0 04:0', next: at(0) });
  expect(await forecast(due(0), due(2))).toEqual({ days: '03:1 04:0', next: at(2) });
  expect(await forecast(due(1), due(3))).toEqual({ days: '01:1 04:0', next: at(0) });
  expect(await forecast(due(2), null)).toEqual({ days: '01:1 02:0', next: at(0) });
  expect(await forecast(due(0), null)).toEqual({ days: '', next: undefined });
});

it('forecasts count the payments after the end of a discount at the price', async () => {
  const seller = await world.newKeyedMerchant();
  const [sold, wallet] = [await world.publishPlan(seller), await world.newWallet()];
  const { id } = await world.subscribe(seller, sold, wallet);
  const forecast = async (discountUntil: number | null, nextAmount: bigint) => {
    await world.db.subscription.update({ where: { id }, data: { discountUntil, nextAmount } });
    const { upcomingCharges } = await world.query(seller.testKey, UPCOMING, { until: '2026-12-04' });
    return upcomingCharges.map(({ amount }) => BigInt(amount?.amount ?? 0));
  };
  const half = PRICE / 2n;
  expect(await forecast(null, half)).toEqual([half, half, half, half]);
  expect(await forecast(3, half)).toEqual([half, half, half, PRICE]);
  expect(await forecast(1, half)).toEqual([half, PRICE, PRICE, PRICE]);
  expect(await forecast(0, PRICE)).toEqual([PRICE, PRICE, PRICE, PRICE]);
});

it('forecasts leave out a payment that waits for a top-up', async () => {
  const seller = await world.newKeyedMerchant();
  const [sold, wallet] = [await world.publishPlan(seller), await world.newWallet()];
  const { id, customerId } = await world.subscribe(seller, sold, wallet);
  const forecast = async (accessUntil: Date | null) => {
    await world.db.subscription.update({
      where: { id },
      data: { status: 'PAST_DUE', failureCount: 3, accessUntil },
    });
    const { upcomingCharges } = await world.query(seller.testKey, UPCOMING, { until: '2026-12-01' });
    const { customer } = await world.query(seller.testKey, PAID_BY, { id: customerId });
    return { days: upcomingCharges.length, next: customer?.nextCharge ?? null };
  };
  expect(await forecast(null)).toMatchObject({ days: 1, next: {} });
  expect(await forecast(world.ctx.clock.now())).toEqual({ days: 0, next: null });
});

it('upcoming charges of the highest price are added up', async () => {
  const seller = await world.newKeyedMerchant();
  const amount = 2n ** 63n - 1n;
  const dear = await world.publishPlan(seller, { amount });
  const wallets = [await world.newWallet(2n ** 64n - 1n), await world.newWallet()];
  for (const wallet of wallets) await world.subscribe(seller, dear, wallet);
  const { upcomingCharges } = await world.query(seller.testKey, UPCOMING, { until: '2026-12-01' });
  expect(upcomingCharges).toMatchObject([
    { count: 2, amount: { amount: String(2n * amount) }, short: 1, shortChecked: 2 },
  ]);
});

it('a wallet counts once, and is short if it covers only its first payment', async () => {
  const seller = await world.newKeyedMerchant();
  const [plans, wallet] = [await twoPlans(seller), await world.newWallet((3n * PRICE) / 2n)];
  for (const each of plans) await world.subscribe(seller, each, wallet);
  await world.subscribe(seller, plans[0], await world.newWallet());
  const { upcomingCharges } = await world.query(seller.testKey, UPCOMING, { until: '2026-12-02' });
  expect(upcomingCharges).toMatchObject([
    { count: 3, short: 1, shortChecked: 2 },
    { count: 3, short: 0, shortChecked: 0 },
  ]);
});

it('checkouts are counted by the day of their creation and their outcome', async () => {
  const [from, to] = ['2026-12-01', '2026-12-01'];
  const read = async (key = merchant.testKey) =>
    (await world.query(key, CONVERSION, { from, to })).checkoutConversion;
  const { created, completed } = (await read())[0] ?? { created: 0, completed: 0 };
  expect(completed).toBe(created);
  await world.openSession(merchant, plan);
  expect(await read()).toEqual([{ day: from, created: created + 1, completed, expired: 0 }]);
  expect(await read(stranger.testKey)).toEqual([{ day: from, created: 0, completed: 0, expired: 0 }]);
  const wrong = world.query(merchant.testKey, CONVERSION, { from: '2026-08-01', to });
  expect(await graphqlError(wrong)).toMatchObject({ code: 'invalid_request', param: 'to' });
});

it('an endpoint has delivery statistics, and deliveries are found by status code', async () => {
  const { endpoint } = await createEndpoint(world.ctx, {
    ...merchant.scope,
    url: 'https://shop.example',
    description: 'Shop',
  });
  const { id: deliveryId } = await sendTestEvent(world.ctx, merchant.scope, { endpointId: endpoint.id });
  const startedAt = world.ctx.clock.now();
  await world.db.deliveryAttempt.create({
    data: { deliveryId, number: 1, startedAt, durationMs: 40, statusCode: 500 },
  });
  // An attempt without a response has no time to one.
  await world.db.deliveryAttempt.create({
    data: { deliveryId, number: 2, startedAt, durationMs: 9_000, error: 'the host name does not resolve' },
  });
  const read = (hours: number) => world.query(merchant.testKey, ENDPOINT_STATS, { id: endpoint.id, hours });
  const waiting = { delivered: 0, failed: 0, pending: 1, p50Ms: 40, p95Ms: 40 };
  expect((await read(24)).webhookEndpoint?.stats).toEqual(waiting);
  await world.db.delivery.update({
    where: { id: deliveryId },
    data: { status: 'FAILED', nextAttemptAt: null, lastStatusCode: 500 },
  });
  const { webhookEndpoint, eventTypes: types } = await read(24);
  const stats = { delivered: 0, failed: 1, pending: 0, p50Ms: 40, p95Ms: 40 };
  expect(webhookEndpoint).toEqual({ description: 'Shop', stats });
  expect(types.map(({ type }) => type)).toEqual(eventTypes);
  expect(await graphqlError(read(169))).toMatchObject({
    code: 'invalid_request',
    param: 'hours',
  });
  const found = async (statusCode: number) =>
    (await world.query(merchant.testKey, REFUSED_DELIVERIES, { statusCode })).webhookDeliveries.edges.length;
  expect([await found(500), await found(404)]).toEqual([1, 0]);
  expect(await graphqlError(found(42))).toMatchObject({ param: 'statusCode' });
});

it('a customer has the total paid, and its email can be changed', async () => {
  const { customerId: id } = subscription;
  const at = world.ctx.clock.now();
  await world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId: subscription.id,
      periodStart: 1n,
      amount: PRICE,
      dueAt: at,
      status: 'SUCCEEDED',
      number: 1,
      signature: 'signature',
      paidAt: at,
      createdAt: at,
    },
  });
  const { customer } = await world.query(merchant.testKey, PAID_BY, { id });
  expect(customer).toMatchObject({
    totalPaid: [{ mint: plan.mint, amount: String(PRICE) }],
    nextCharge: {
      at: subscription.nextPaymentAt.toISOString(),
      amount: { mint: plan.mint, amount: String(PRICE), asset: { symbol: 'USDC' } },
    },
    payments: { totalCount: 1 },
  });
  await world.db.subscription.update({ where: { id: subscription.id }, data: { cancelAtPeriodEnd: true } });
  expect((await world.query(merchant.testKey, PAID_BY, { id })).customer?.nextCharge).toBeNull();
  await world.db.subscription.update({ where: { id: subscription.id }, data: { cancelAtPeriodEnd: false } });
  const update = (email: string, key = merchant.testKey) => world.query(key, UPDATE_CUSTOMER, { id, email });
  expect((await update('new@example.com')).updateCustomer).toEqual({ id, email: 'new@example.com' });
  expect(await graphqlError(update('nonsense'))).toMatchObject({ code: 'invalid_request', param: 'email' });
  const { walletAddress } = subscription;
  const other = { ...merchant.scope, walletAddress, email: 'taken@example.com' };
  await world.db.customer.create({ data: other });
  expect(await graphqlError(update('taken@example.com'))).toMatchObject({ param: 'email' });
});

it('a payment has its own period, mails and events only', async () => {
  const { id: subscriptionId, address } = await world.subscribe(merchant, plan, await world.newWallet());
  const [missed, paid] = await seedPayments(world.db, merchant.scope, address);
  const at = world.ctx.clock.now();
  const record = (paymentId: string) =>
    recordEvent(world.db, {
      ...merchant.scope,
      type: 'payment.refunded',
      subscriptionId,
      data: { ...sampleEvents['payment.refunded'], paymentId },
      at,
    });
  const event = await record(paid.id);
  const other = await record(missed.id);
  const mail = { ...merchant.scope, template: 'REFUND', nextAttemptAt: at, expiresAt: at, createdAt: at };
  await world.db.mail.create({ data: { ...mail, recipient: 'ada@example.com', cause: event.id } });
  await world.db.mail.create({ data: { ...mail, recipient: 'bob@example.com', cause: other.id } });
  const about = await world.query(merchant.testKey, ABOUT_PAYMENT, { id: paid.id });
  expect(about).toMatchObject({
    payment: {
      dueAt: paid.dueAt.toISOString(),
      periodEnd: new Date(paid.dueAt.getTime() + plan.intervalSeconds * 1_000).toISOString(),
      mails: [{ template: 'REFUND', recipient: 'ada@example.com', status: 'QUEUED', sentAt: null }],
    },
    events: { totalCount: 1, edges: [{ node: { id: event.id, type: 'payment.refunded' } }] },
  });
  // The wallet subscribes again as another customer.
  const before = about.payment?.customer.id;
  await seedReceipt(world.db, merchant.scope, paid.id, 1, at);
  const walletAddress = (await world.newWallet()).address;
  const eve = await world.db.customer.create({
    data: { ...merchant.scope, walletAddress, email: 'eve@example.com', createdAt: at },
  });
  await world.db.subscription.update({ where: { id: subscriptionId }, data: { customerId: eve.id } });
  const paidBy = async (id: string) =>
    (await world.query(merchant.testKey, ABOUT_PAYMENT, { id })).payment?.customer.id;
  expect([await paidBy(paid.id), await paidBy(missed.id)]).toEqual([before, eve.id]);
  const eventsAbout = (id: string, key = merchant.testKey) => world.query(key, EVENTS_ABOUT, { id });
  expect((await eventsAbout(paid.id, stranger.testKey)).events.edges).toEqual([]);
  expect(await graphqlError(eventsAbout('nonsense'))).toMatchObject({
    code: 'invalid_request',
    param: 'paymentId',
  });
});
