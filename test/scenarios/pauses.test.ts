import { describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { pullAsMerchant } from './merchant-pulls.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const SHOWN =
  'status pausedFrom pausedUntil pauseKeepsAccess nextPaymentAt accessUntil upcomingPayment { dueAt total }';
interface Shown {
  status: string;
  pausedFrom: string | null;
  pausedUntil: string | null;
  pauseKeepsAccess: boolean | null;
  nextPaymentAt: string | null;
  accessUntil: string | null;
  upcomingPayment: { dueAt: string; total: string } | null;
}

/** Calls a mutation about a subscription, and returns what is shown after it. */
async function call(mutation: string, customer: Subscriber, args = ''): Promise<Shown> {
  const { changed } = await world.graphql<{ changed: Shown }>(
    `mutation ($id: ID!) { changed: ${mutation}(subscription: $id ${args}) { ${SHOWN} } }`,
    { id: customer.id },
  );
  return changed;
}

async function shown(customer: Subscriber): Promise<Shown> {
  const { subscription } = await world.graphql<{ subscription: Shown }>(
    `query ($id: ID!) { subscription(id: $id) { ${SHOWN} } }`,
    { id: customer.id },
  );
  return subscription;
}

/** A customer with 100 payments in the wallet who has made the first one. */
async function customerOf(planId?: string): Promise<Subscriber> {
  const customer = await world.subscriber(planId ?? (await world.plan()));
  await world.quiet();
  return customer;
}

const paid = async ({ wallet }: Subscriber) =>
  Number((100n * PRICE - (await world.tokensOf(wallet.address))) / PRICE);
const statuses = async ({ id }: Subscriber) =>
  (await world.books(id)).map(({ status, waivedReason }) => waivedReason ?? status);

/** The time `days` after the start of a subscription. */
async function dayOf({ id }: Subscriber, days: number): Promise<string> {
  const { startedAt } = await world.ctx.db.subscription.findFirstOrThrow({ where: { address: id } });
  return new Date(startedAt.getTime() + days * DAY * 1_000).toISOString();
}

describe('a pause', () => {
  it('of two periods charges nothing in them, and everything after them', async () => {
    const customer = await customerOf();
    const paused = await call('pauseSubscription', customer, 'periods: 2, reason: "Holidays"');
    const [from, until] = [await dayOf(customer, 1), await dayOf(customer, 3)];
    expect(paused).toEqual({
      status: 'ACTIVE',
      pausedFrom: from,
      pausedUntil: until,
      pauseKeepsAccess: false,
      nextPaymentAt: until,
      accessUntil: null,
      upcomingPayment: { dueAt: until, total: String(PRICE) },
    });
    for (const charged of [1, 1, 2, 3]) {
      await world.travel(DAY);
      expect(await paid(customer)).toBe(charged);
    }
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'PAUSED', 'PAUSED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await shown(customer)).toMatchObject({
      pausedFrom: null,
      pausedUntil: null,
      pauseKeepsAccess: null,
    });
    expect(world.receivedEvents(customer.id)).toEqual([
      ...['created', 'payment_succeeded', 'paused', 'payment_waived', 'payment_waived'],
      ...['unpaused', 'payment_succeeded', 'payment_succeeded'],
    ]);
    const [, , begun, waived] = world.webhooks(customer.id);
    expect(begun?.data).toMatchObject({
      pausedFrom: from,
      pausedUntil: until,
      keepsAccess: false,
      reason: 'Holidays',
    });
    expect(waived?.data).toMatchObject({
      waivedReason: 'PAUSED',
      dueDate: from,
      amount: String(PRICE),
      reason: 'Holidays',
    });
    const row = await world.ctx.db.subscription.findFirstOrThrow({ where: { address: customer.id } });
    expect(row).toMatchObject({ lineSources: 0, waivedFrom: null, waivedUntil: null });
  });

  it('until it is resumed ends with a payment of the running period', async () => {
    const customer = await customerOf();
    expect(await call('pauseSubscription', customer, 'keepsAccess: true')).toMatchObject({
      pausedUntil: null,
      pauseKeepsAccess: true,
      nextPaymentAt: null,
      upcomingPayment: null,
    });
    await world.travel(3 * DAY + HOUR);
    expect(await paid(customer)).toBe(1);
    expect(await call('unpauseSubscription', customer, 'chargeNow: true')).toMatchObject({
      pausedFrom: null,
      upcomingPayment: { dueAt: await dayOf(customer, 3), total: String(PRICE) },
    });
    await world.quiet();
    expect(await paid(customer)).toBe(2);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(3);
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'PAUSED', 'PAUSED', 'SUCCEEDED', 'SUCCEEDED']);
  });

  it('that is ended without a payment lasts to the next due date', async () => {
    const customer = await customerOf();
    await call('pauseSubscription', customer, 'periods: 12');
    await world.travel(DAY + HOUR);
    const second = await dayOf(customer, 2);
    for (const _ of ['', 'a repeated call']) {
      expect(await call('unpauseSubscription', customer, 'chargeNow: false')).toMatchObject({
        pausedUntil: second,
        nextPaymentAt: second,
      });
    }
    expect(await paid(customer)).toBe(1);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(2);
    expect(world.receivedEvents(customer.id).slice(2)).toEqual([
      'paused',
      'payment_waived',
      'unpaused',
      'payment_succeeded',
    ]);
  });

  it('is taken back before it begins', async () => {
    const customer = await customerOf();
    await call('skipNextPayment', customer);
    await expect(call('skipNextPayment', customer)).rejects.toThrow('is paused already, until');
    await call('unpauseSubscription', customer, 'chargeNow: true');
    await expect(call('unpauseSubscription', customer, 'chargeNow: true')).rejects.toThrow('is not paused');
    await world.travel(DAY);
    expect(await paid(customer)).toBe(2);
    expect(world.receivedEvents(customer.id).slice(2)).toEqual(['paused', 'unpaused', 'payment_succeeded']);
  });

  it('begins a period later if a payment is in flight', async () => {
    const customer = await customerOf();
    await world.stopWorkers();
    await world.jump(DAY);
    await world.mirrored();
    world.setFaults({ delayLandingSlots: 10_000 });
    await collectDue(world.ctx, 'TEST');
    expect(await call('skipNextPayment', customer)).toMatchObject({ pausedFrom: await dayOf(customer, 2) });
    world.setFaults({ delayLandingSlots: 0 });
    await world.startWorkers();
    await world.travel(60);
    await world.until('the payment is settled', async () => (await paid(customer)) === 2);
    await world.travel(DAY);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(3);
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'PAUSED', 'SUCCEEDED']);
  });

  it('while dues was down is not missed', async () => {
    const customer = await customerOf();
    await call('pauseSubscription', customer, 'periods: 2');
    await world.stopWorkers();
    await world.jump(4 * DAY + HOUR);
    await world.startWorkers();
    await world.decided(customer.id);
    await world.quiet();
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'PAUSED', 'PAUSED', 'MISSED', 'SUCCEEDED']);
  });

  it('of a trial waives the first payment after it', async () => {
    const customer = await customerOf(await world.plan({ trial: DAY }));
    expect(await call('skipNextPayment', customer)).toMatchObject({ pausedFrom: await dayOf(customer, 1) });
    await world.travel(DAY);
    expect(await paid(customer)).toBe(0);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(1);
  });

  it('leaves what the plan owner collects in it as a payment beside', async () => {
    const customer = await customerOf();
    await call('skipNextPayment', customer);
    await world.travel(DAY);
    await pullAsMerchant(world, customer, PRICE);
    await world.until('the transfer is booked', async () => (await statuses(customer)).length === 3);
    await world.travel(DAY);
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'PAUSED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await paid(customer)).toBe(3);
  });
});

describe('in a pause without access', () => {
  it('a cancellation ends at once, and a customer who comes back pays', async () => {
    const planId = await world.plan();
    const customer = await customerOf(planId);
    await call('pauseSubscription', customer);
    await world.travel(DAY + HOUR);
    await world.graphql(
      'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }',
      {
        id: customer.id,
      },
    );
    const { status, accessUntil } = await shown(customer);
    expect(status).toBe('CANCELLED');
    expect(new Date(accessUntil ?? 0) <= world.ctx.clock.now()).toBe(true);
    await world.travel(DAY);
    const { approve, complete } = await world.checkout(planId, { wallet: customer.wallet });
    await complete(await approve());
    await world.quiet();
    expect(await paid(customer)).toBe(2);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(3);
    expect(await shown(customer)).toMatchObject({ status: 'ACTIVE', pausedFrom: null });
  });

  it('a customer who cancels and resumes on chain stays paused', async () => {
    const customer = await customerOf();
    await call('pauseSubscription', customer, 'periods: 3');
    await world.travel(DAY + HOUR);
    await customer.cancel();
    await world.until(
      'the cancellation is known',
      async () => (await customer.state()).state === 'cancelled',
    );
    expect(new Date((await shown(customer)).accessUntil ?? 0) <= world.ctx.clock.now()).toBe(true);
    await customer.resume();
    await world.until('the resumption is known', async () => (await customer.state()).state === 'active');
    for (const charged of [1, 1, 2]) {
      await world.travel(DAY);
      expect(await paid(customer)).toBe(charged);
    }
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'PAUSED', 'PAUSED', 'PAUSED', 'SUCCEEDED']);
  });
});

it('free periods, a pause and a waived payment follow one another', async () => {
  const customer = await customerOf();
  await call('waivePayment', customer);
  await call('grantFreePeriods', customer, 'count: 2');
  expect(await call('skipNextPayment', customer)).toMatchObject({
    pausedFrom: await dayOf(customer, 4),
    nextPaymentAt: await dayOf(customer, 5),
  });
  await world.travel(DAY + HOUR);
  await call('unpauseSubscription', customer, 'chargeNow: true');
  await world.travel(4 * DAY);
  await world.decided(customer.id);
  expect(await statuses(customer)).toEqual(['SUCCEEDED', 'MERCHANT', 'FREE', 'FREE', 'MISSED', 'SUCCEEDED']);
});

it('a repeated request with an idempotency key waives nothing more', async () => {
  const customer = await customerOf();
  const waivers = () =>
    world.ctx.db.waiver.findMany({
      where: { subscription: { address: customer.id } },
      orderBy: { id: 'asc' },
    });
  const free = 'count: 2, idempotencyKey: "gift-1"';
  // Two at once, and one later.
  await Promise.all([call('grantFreePeriods', customer, free), call('grantFreePeriods', customer, free)]);
  await call('grantFreePeriods', customer, free);
  await call('waivePayment', customer, 'idempotencyKey: "waive-1"');
  await call('waivePayment', customer, 'idempotencyKey: "waive-1"');
  expect((await waivers()).map(({ kind }) => kind)).toEqual(['FREE', 'ONE']);
  for (const [mutation, args] of [
    ['grantFreePeriods', 'count: 3, idempotencyKey: "gift-1"'],
    ['waivePayment', 'idempotencyKey: "gift-1"'],
    ['waivePayment', 'reason: "Sorry", idempotencyKey: "waive-1"'],
  ] as const) {
    await expect(call(mutation, customer, args)).rejects.toThrow('The key was used for another request');
  }
  // A request that is refused leaves its key free.
  await expect(call('grantFreePeriods', customer, 'count: 13, idempotencyKey: "gift-2"')).rejects.toThrow(
    'count is 13',
  );
  await call('grantFreePeriods', customer, 'count: 1, idempotencyKey: "gift-2"');
  expect(await waivers()).toHaveLength(3);
});

it('a waived payment can be waived again with the key of its request only', async () => {
  const customer = await customerOf();
  await customer.setBalance(0n);
  await world.travel(DAY);
  const id = (await world.books(customer.id)).at(-1)?.id ?? '';
  const waive = (idempotencyKey: string) =>
    world.graphql(
      'mutation ($id: ID, $key: String) { waivePayment(paymentId: $id, idempotencyKey: $key) { status } }',
      { id, key: idempotencyKey },
    );
  for (const _ of [1, 2]) expect(await waive('once')).toEqual({ waivePayment: { status: 'ACTIVE' } });
  await expect(waive('twice')).rejects.toThrow('The payment is WAIVED');
});

describe('an overdue payment', () => {
  it('that is waived ends the status PAST_DUE, and is never collected', async () => {
    const customer = await customerOf();
    await customer.setBalance(0n);
    await world.travel(DAY);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    expect(await call('waivePayment', customer, 'reason: "Our fault"')).toMatchObject({ status: 'ACTIVE' });
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await customer.setBalance(99n * PRICE);
    await world.travel(HOUR);
    expect(await paid(customer)).toBe(1);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(2);
    expect(await statuses(customer)).toEqual(['SUCCEEDED', 'MERCHANT', 'SUCCEEDED']);
    const { id } = await world.ctx.db.subscription.findFirstOrThrow({ where: { address: customer.id } });
    const { reason } = await world.ctx.db.subscriptionTransition.findFirstOrThrow({
      where: { subscriptionId: id },
      orderBy: { at: 'desc' },
    });
    expect(reason).toBe('payment_waived');
    expect(world.webhooks(customer.id).at(-2)?.data).toMatchObject({
      waivedReason: 'MERCHANT',
      reason: 'Our fault',
    });
  });

  it('is named by its id, and cannot be waived twice', async () => {
    const customer = await customerOf();
    await customer.setBalance(0n);
    await world.travel(DAY);
    const payment = (await world.books(customer.id)).at(-1)?.id ?? '';
    const waive = () =>
      world.graphql('mutation ($id: ID) { waivePayment(paymentId: $id) { status } }', { id: payment });
    expect(await waive()).toEqual({ waivePayment: { status: 'ACTIVE' } });
    await expect(waive()).rejects.toThrow('The payment is WAIVED');
  });

  it('is still collected if the subscription is paused', async () => {
    const customer = await customerOf();
    await customer.setBalance(0n);
    await world.travel(DAY);
    expect(await call('skipNextPayment', customer)).toMatchObject({ pausedFrom: await dayOf(customer, 2) });
    await customer.setBalance(99n * PRICE);
    await world.travel(HOUR);
    expect(await paid(customer)).toBe(2);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(2);
  });
});

describe('bad input changes nothing:', () => {
  it.each([
    ['pauseSubscription', 'periods: 0', 'periods is 0, and must be a whole number from 1 to 12'],
    ['pauseSubscription', 'periods: 13', 'periods is 13'],
    ['pauseSubscription', 'periods: 1, until: "2040-01-01T00:00:00Z"', 'either periods or until'],
    ['pauseSubscription', 'until: "2040-01-01T00:00:00Z"', 'more than 12 payments would be due before it'],
    ['pauseSubscription', 'until: "2020-01-01T00:00:00Z"', 'no payment would be due before it'],
    ['grantFreePeriods', 'count: 13', 'count is 13'],
    ['unpauseSubscription', 'chargeNow: true', 'is not paused'],
  ])('%s(%s)', async (mutation, args, error) => {
    const customer = await customerOf();
    await expect(call(mutation, customer, args)).rejects.toThrow(error);
    await world.travel(DAY);
    expect(await paid(customer)).toBe(2);
  });

  it('a subscription that has ended or ends is not paused', async () => {
    const customer = await customerOf();
    const cancel = (when: string) =>
      world.graphql(
        `mutation ($id: ID!) { cancelSubscription(subscription: $id, when: ${when}) { transaction } }`,
        { id: customer.id },
      );
    await cancel('PERIOD_END');
    await expect(call('skipNextPayment', customer)).rejects.toThrow('cancelled at the end of its period');
    await cancel('NOW');
    await expect(call('skipNextPayment', customer)).rejects.toThrow('has ended');
  });
});

it('a pause contributes nothing to the revenue while it lasts, and all afterwards', async () => {
  const customer = await customerOf();
  const mrr = async () =>
    Number((await world.ctx.db.subscription.findFirstOrThrow({ where: { address: customer.id } })).mrr);
  const full = await mrr();
  await call('skipNextPayment', customer);
  expect(await mrr()).toBe(full);
  await world.travel(DAY);
  expect(await mrr()).toBe(0);
  await world.travel(DAY);
  expect(await mrr()).toBe(full);
  const { planId, walletAddress } = await world.ctx.db.subscription.findFirstOrThrow({
    where: { address: customer.id },
  });
  const changes = await world.ctx.db.$queryRaw<{ contraction: number; expansion: number }[]>`
    SELECT sum("contraction")::int AS "contraction", sum("expansion")::int AS "expansion" FROM (
      SELECT "contraction", "expansion" FROM "MrrChange" WHERE "planId" = ${planId}::uuid
      UNION ALL SELECT "contraction", "expansion" FROM "MrrDay" WHERE "planId" = ${planId}::uuid) AS c`;
  expect(changes).toEqual([{ contraction: full, expansion: full }]);
  const kept = await world.ctx.db.$queryRaw<{ amount: number }[]>`
    SELECT "amount"::int AS "amount" FROM "CustomerMrr" WHERE "walletAddress" = ${walletAddress}`;
  expect(kept).toEqual([{ amount: full }]);
});
