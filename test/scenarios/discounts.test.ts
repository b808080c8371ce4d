import { afterAll, describe, expect, it } from 'vitest';
import { createPrice } from '../../src/domain/billing/price/create-price.ts';
import { linesOf } from '../../src/domain/billing/price/line.ts';
import { readAhead } from '../../src/domain/billing/read/upcoming-payment.ts';
import { agreedDiscount } from '../../src/domain/checkout/discount/redeem-discount.ts';
import { releaseExpired } from '../../src/domain/checkout/discount/release-discounts.ts';
import { enterCode } from '../../src/domain/checkout/session/enter-code.ts';
import { expireSessions } from '../../src/domain/checkout/session/expire-sessions.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { parseCsv } from '../management/parse-csv.ts';
import { askJson } from './ask-json.ts';
import { type Checkout, DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.close());
const { db } = world.ctx;

let count = 0;
const newCode = () => `CODE-${++count}`;

/** Creates a discount with a code, by default of half the price. */
async function discount(input: object = { percentBps: 5_000 }) {
  const code = newCode();
  const { createDiscount } = await world.graphql<{ createDiscount: { id: string } }>(
    'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }',
    { input: { name: `Discount ${code}`, code, ...input } },
  );
  return { id: createDiscount.id, code };
}

const takenOf = async (id: string) => (await db.discount.findUniqueOrThrow({ where: { id } })).taken;

/** A customer with a checkout that allows codes. */
async function checkout(
  planId: string,
  fields: object = {},
  wallet?: Subscriber['wallet'],
): Promise<Checkout> {
  const opened = await askJson(world, 'POST', '/checkout/create', {
    planId,
    customerEmail: `customer-${++count}@example.com`,
    allowsCodes: true,
    ...fields,
  });
  return world.checkout(planId, { sessionId: opened.body.sessionId as string, ...(wallet && { wallet }) });
}

const enter = ({ sessionId }: Checkout, code: string) =>
  askJson(world, 'POST', `/api/checkout/${sessionId}/discount`, { code });

/** The same without the limit of 30 codes an hour. */
const show = ({ sessionId }: Checkout, code: string) => enterCode(world.ctx, sessionId, code);

/** Asks for the transactions to sign. */
const ask = ({ sessionId, subscriber }: Checkout) =>
  askJson(world, 'POST', `/api/checkout/${sessionId}/transaction`, { userWallet: subscriber.wallet.address });

/** Subscribes with a code. */
async function subscribeWith(planId: string, code: string): Promise<Subscriber> {
  const open = await checkout(planId);
  expect((await enter(open, code)).status).toBe(200);
  return completed(open);
}

async function completed(open: Checkout): Promise<Subscriber> {
  await open.complete(await open.approve());
  return open.subscriber;
}

const rowOf = ({ id: address }: Subscriber) =>
  db.subscription.findFirstOrThrow({ where: { address }, orderBy: { chainCreatedAt: 'desc' } });
const paid = async ({ id }: Subscriber) => (await world.books(id)).map(({ paidAmount }) => paidAmount);

async function change(mutation: string, { id }: Subscriber, discountId?: string): Promise<void> {
  const more = discountId ? `, discountId: "${discountId}"` : '';
  await world.graphql(`mutation { ${mutation}(subscription: "${id}"${more}) { id } }`);
}

/** The only row of a list's export that belongs to the subscriber. */
async function exported(list: string, { id }: Subscriber): Promise<Record<string, string>> {
  const response = await fetch(`${world.apiUrl}/api/exports/${list}.csv`, {
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  const [names = [], ...rows] = parseCsv(await response.text());
  const [row, ...others] = rows.filter((cells) => cells.includes(id));
  expect(others).toEqual([]);
  return Object.fromEntries(names.map((name, index) => [name, row?.[index] ?? '']));
}

/** The sum of all movements of the revenue, and the sum of what subscriptions contribute. */
async function revenue(planId: string) {
  const { id } = await db.plan.findFirstOrThrow({ where: { planId } });
  const [row] = await db.$queryRaw<{ moved: string; sum: string }[]>`
    SELECT (SELECT coalesce(sum("new" + "reactivation" + "expansion" - "contraction" - "churn" + "moved"), 0)::text FROM (
        SELECT "planId", "new", "reactivation", "expansion", "contraction", "churn", "moved" FROM "MrrDay"
        UNION ALL SELECT "planId", "new", "reactivation", "expansion", "contraction", "churn", "moved" FROM "MrrChange") m
        WHERE "planId" = ${id}::uuid) AS "moved",
      (SELECT coalesce(sum("mrr"), 0)::text FROM "Subscription"
        WHERE "planId" = ${id}::uuid AND "status" IN ('ACTIVE', 'PAST_DUE')) AS "sum"`;
  return { moved: BigInt(row?.moved ?? 0), sum: BigInt(row?.sum ?? 0) };
}

describe('a code at the checkout', () => {
  it('reduces three payments, and the fourth one is full', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, periods: 3 });
    const customer = await subscribeWith(planId, code.toLowerCase());
    await world.quiet();
    expect(await revenue(planId)).toEqual({ moved: 15n * PRICE, sum: 15n * PRICE });
    for (let period = 0; period < 3; period++) {
      const { id: row, nextAmount } = await rowOf(customer);
      const preview = (await readAhead(db, [row], world.ctx.clock.now())).get(row)?.upcomingPayment;
      expect(preview?.total).toBe(nextAmount);
      await world.travel(DAY);
      const payment = (await world.books(customer.id)).at(-1);
      expect(linesOf({ lines: payment?.lines ?? null })).toEqual(preview?.lines);
    }
    expect(await paid(customer)).toEqual([PRICE / 2n, PRICE / 2n, PRICE / 2n, PRICE]);
    expect(await revenue(planId)).toEqual({ moved: 30n * PRICE, sum: 30n * PRICE });
    expect(await takenOf(id)).toBe(1);
    const created = world.webhooks(customer.id).find(({ event }) => event === 'subscription.created');
    expect(created?.data).toMatchObject({ discount: { discountId: id, percentBps: 5_000, periods: 3 } });
  });

  it('says when the full price begins, and the exports say what it takes off', async () => {
    const { code } = await discount({ percentBps: 5_000, periods: 2 });
    const open = await checkout(await world.plan());
    await show(open, code);
    const customer = await completed(open);
    await world.quiet();
    const [first] = await world.books(customer.id);
    const third = new Date((first?.dueAt.getTime() ?? 0) + 2_000 * DAY).toISOString();
    const ask = `query { subscription(id: "${customer.id}") { discount { periodsLeft fullPriceAt } } }`;
    expect(await world.graphql(ask)).toEqual({
      subscription: { discount: { periodsLeft: 1, fullPriceAt: third } },
    });
    expect(await exported('payments', customer)).toMatchObject({
      amount: String(PRICE / 2n),
      listAmount: String(PRICE),
      discountAmount: String(PRICE / 2n),
    });
    const row = { discount: `Discount ${code}`, discountPaymentsLeft: '1', fullPriceAt: third };
    expect(await exported('subscriptions', customer)).toMatchObject(row);
    await world.graphql(`mutation { pauseSubscription(subscription: "${customer.id}") { id } }`);
    expect(await world.graphql(ask)).toEqual({
      subscription: { discount: { periodsLeft: 1, fullPriceAt: null } },
    });
  });

  it('has a state that says why customers do not get it', async () => {
    const at = (ms: number) => new Date(world.ctx.clock.now().getTime() + ms).toISOString();
    const used = await discount({ percentBps: 100, maxRedemptions: 1 });
    const off = await discount();
    const expected = [
      [(await discount()).id, 'ON'],
      [off.id, 'OFF'],
      [(await discount({ percentBps: 100, startsAt: at(60_000) })).id, 'NOT_STARTED'],
      [(await discount({ percentBps: 100, endsAt: at(-60_000) })).id, 'ENDED'],
      [used.id, 'USED_UP'],
    ];
    await world.graphql(`mutation { updateDiscount(id: "${off.id}", input: { isActive: false }) { id } }`);
    const customer = await world.subscriber(await world.plan());
    await change('applyDiscount', customer, used.id);
    for (const [id, state] of expected) {
      expect(await world.graphql(`{ discount(id: "${id}") { state } }`)).toEqual({ discount: { state } });
    }
  });

  it('that is wrong does not block the checkout, and all refusals are alike', async () => {
    const planId = await world.plan();
    const other = await world.plan();
    const codes = await Promise.all([
      discount({ percentBps: 100, planIds: [other] }),
      discount({ percentBps: 100, endsAt: new Date(world.ctx.clock.now().getTime() - 1_000).toISOString() }),
      discount({ percentBps: 100, firstPurchaseOnly: true }),
    ]);
    const customer = await world.subscriber(planId);
    const { customer: known } = await db.subscription.findFirstOrThrow({
      where: { address: customer.id },
      include: { customer: true },
    });
    const open = await checkout(other, { customerEmail: known.email });
    const answers = [];
    for (const code of ['UNKNOWN', '%', codes[1].code, codes[2].code]) answers.push(await enter(open, code));
    const wrongPlan = await checkout(planId);
    answers.push(await enter(wrongPlan, codes[0].code));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body.error])))).toHaveLength(1);
    expect(answers[0]?.body).toMatchObject({ error: { code: 'invalid_request', param: 'code' } });
    await wrongPlan.complete(await wrongPlan.approve());
    await world.quiet();
    expect(await paid(wrongPlan.subscriber)).toEqual([PRICE]);
  });

  it('can be tried ten times in a session', async () => {
    const open = await checkout(await world.plan());
    const { code } = await discount();
    for (let tries = 0; tries < 10; tries++) expect((await enter(open, 'WRONG')).status).toBe(400);
    expect((await enter(open, code)).status).toBe(429);
  });

  it('of an amount never goes below 0, and all of the price is waived', async () => {
    const planId = await world.plan();
    const { mint } = await db.plan.findFirstOrThrow({ where: { planId } });
    const part = await subscribeWith(planId, (await discount({ amount: '1000001', mint })).code);
    const all = await subscribeWith(
      planId,
      (await discount({ amount: String(2n * PRICE), mint, periods: 1 })).code,
    );
    await world.quiet();
    await world.travel(DAY);
    expect(await paid(part)).toEqual([PRICE - 1_000_001n, PRICE - 1_000_001n]);
    expect(await world.books(all.id)).toMatchObject([
      { status: 'WAIVED', waivedReason: 'DISCOUNT', amount: 0n, paidAmount: 0n },
      { status: 'SUCCEEDED', amount: PRICE, paidAmount: PRICE },
    ]);
  });
});

describe('a redemption of a discount', () => {
  it('is taken by one of two signers, and the other is told before it signs', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, maxRedemptions: 1 });
    const [one, two] = [await checkout(planId), await checkout(planId)] as const;
    await enter(one, code);
    await enter(two, code);
    const answers = await Promise.all([ask(one), ask(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ error: { param: 'code' } });
    const loser = answers[0].status === 400 ? one : two;
    await askJson(world, 'DELETE', `/api/checkout/${loser.sessionId}/discount`);
    await loser.complete(await loser.approve());
    await world.quiet();
    expect(await paid(loser.subscriber)).toEqual([PRICE]);
    expect(await takenOf(id)).toBe(1);
    const usedUp = async () =>
      (await db.event.findMany({ where: { type: 'discount.used_up' } })).filter(
        ({ data }) => (data as { discountId?: string }).discountId === id,
      );
    expect(await usedUp()).toEqual([]);
    const winner = loser === one ? two : one;
    await winner.complete(await winner.approve());
    await world.quiet();
    expect(await usedUp()).toMatchObject([
      { subscriptionId: null, data: { discountId: id, code, maxRedemptions: 1 } },
    ]);
  });

  it('is given back after an abandoned checkout, and a straggler keeps its price', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, maxRedemptions: 1 });
    const late = await checkout(planId);
    await enter(late, code);
    await world.stopIndexer();
    const signature = await late.approve();
    expect(await takenOf(id)).toBe(1);
    // Its redemption is given back before the transaction is seen, which happens only after a long outage.
    await db.discountRedemption.updateMany({
      where: { sessionId: late.sessionId, status: 'RESERVED' },
      data: { expiresAt: new Date(0) },
    });
    await expireSessions(world.ctx);
    const winner = await subscribeWith(planId, code);
    await late.complete(signature);
    await world.startIndexer();
    await world.quiet();
    for (const customer of [winner, late.subscriber]) expect(await paid(customer)).toEqual([PRICE / 2n]);
    expect(await takenOf(id)).toBe(2);
    expect(await counterRegistry.getSingleMetricAsString('dues_late_discounts_total')).toContain(
      'dues_late_discounts_total{environment="TEST"} 1',
    );
  });

  it('is held once by a session, until its transactions can no longer land', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, maxRedemptions: 3 });
    const open = await checkout(planId);
    await enter(open, code);
    await Promise.all([ask(open), ask(open), ask(open)]);
    expect(await takenOf(id)).toBe(1);
    await world.jump(HOUR);
    await expireSessions(world.ctx);
    expect(await takenOf(id)).toBe(0);
  });

  it('is one for each customer, by wallet or email', async () => {
    const planId = await world.plan();
    const other = await world.plan();
    const { code } = await discount({ percentBps: 5_000, maxPerCustomer: 1 });
    const first = await checkout(planId, { customerEmail: 'One@example.com' });
    await enter(first, code);
    await first.complete(await first.approve());
    const sameEmail = await checkout(other, { customerEmail: 'one@example.com' });
    expect((await enter(sameEmail, code)).status).toBe(400);
    const sameWallet = await checkout(other, {}, first.subscriber.wallet);
    expect((await enter(sameWallet, code)).status).toBe(200);
    expect((await ask(sameWallet)).body).toMatchObject({ error: { param: 'code' } });
  });

  it('is one for two checkouts of a wallet that ask at the same time', async () => {
    const planId = await world.plan();
    const { id } = await discount({ percentBps: 5_000, periods: 1, maxPerCustomer: 1 });
    for (let round = 0; round < 5; round++) {
      const first = await checkout(planId, { discountId: id });
      const second = await checkout(planId, { discountId: id }, first.subscriber.wallet);
      const answers = await Promise.all([first, second].map(ask));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    expect(await takenOf(id)).toBe(5);
  });
});

describe('a transaction with a discount', () => {
  it('that was handed out without a reservation still has it, over the limit', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, maxRedemptions: 1 });
    const late = await checkout(planId);
    await show(late, code);
    await world.stopIndexer();
    const where = { id: late.sessionId };
    // The release before hands out transactions, and reserves nothing.
    await db.checkoutSession.update({ where, data: { discountId: null } });
    const signature = await late.approve();
    await db.checkoutSession.update({ where, data: { discountId: id } });
    expect(await db.discountRedemption.count({ where: { discountId: id } })).toBe(0);
    const other = await checkout(planId);
    await show(other, code);
    expect((await ask(other)).status).toBe(200);
    // The release before completes no such checkout.
    const completed = db.checkoutSession.update({ where, data: { status: 'COMPLETED' } });
    await expect(completed).rejects.toThrow('is completed by a later release');
    await late.complete(signature);
    await world.startIndexer();
    await world.quiet();
    expect(await paid(late.subscriber)).toEqual([PRICE / 2n]);
    expect(await takenOf(id)).toBe(2);
    expect(await db.discountRedemption.findFirst({ where: { sessionId: late.sessionId } })).toMatchObject({
      status: 'REDEEMED',
      identities: expect.arrayContaining([`wallet:${late.subscriber.wallet.address}`]),
    });
  });

  it('keeps its code until it can no longer land', async () => {
    const planId = await world.plan();
    const [first, second] = [await discount(), await discount()];
    const open = await checkout(planId);
    await show(open, first.code);
    expect((await ask(open)).status).toBe(200);
    await world.jump(200);
    expect((await ask(open)).status).toBe(200);
    await world.jump(200);
    const remove = () => askJson(world, 'DELETE', `/api/checkout/${open.sessionId}/discount`);
    const refusal = { code: 'invalid_request', param: 'code' };
    expect(await remove()).toMatchObject({ status: 400, body: { error: refusal } });
    await expect(show(open, second.code)).rejects.toMatchObject(refusal);
    const session = () => db.checkoutSession.findUniqueOrThrow({ where: { id: open.sessionId } });
    expect(await session()).toMatchObject({ discountId: first.id, byCode: true });
    await world.jump(60);
    await show(open, second.code);
    expect((await remove()).status).toBe(200);
    expect(await session()).toMatchObject({ discountId: null, byCode: false });
    expect(await takenOf(first.id)).toBe(0);
  });

  it('is counted once, whatever is asked at the same time', async () => {
    const planId = await world.plan();
    const { id, code } = await discount({ percentBps: 5_000, maxRedemptions: 3, maxPerCustomer: 1 });
    const open = await checkout(planId);
    const others = [await checkout(planId), await checkout(planId)];
    for (const each of [open, ...others]) await show(each, code);
    const wallets = others.map(({ subscriber }) => ({ ...open, subscriber }));
    const remove = () => askJson(world, 'DELETE', `/api/checkout/${open.sessionId}/discount`);
    const answers = await Promise.all([
      ...[open, ...wallets, ...others].map(ask),
      ...[remove(), remove()],
      show(open, code).then(
        () => ({ status: 200 }),
        () => ({ status: 400 }),
      ),
    ]);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const reserved = await db.discountRedemption.count({ where: { discountId: id, status: 'RESERVED' } });
    expect(await takenOf(id)).toBe(reserved);
  });

  it('is not given back while its checkout completes', async () => {
    const { id, code } = await discount();
    const open = await checkout(await world.plan());
    await show(open, code);
    await ask(open);
    const where = { sessionId: open.sessionId };
    await db.discountRedemption.update({ where, data: { expiresAt: new Date(0) } });
    const session = await db.checkoutSession.findUniqueOrThrow({ where: { id: open.sessionId } });
    await db.$transaction(async (tx) => {
      await agreedDiscount(tx, session, open.subscriber.wallet.address, world.ctx.clock.now());
      await releaseExpired(world.ctx);
    });
    expect(await db.discountRedemption.findUnique({ where })).toMatchObject({ status: 'RESERVED' });
    expect(await takenOf(id)).toBe(1);
  });

  it('shows its code only to a customer who entered it', async () => {
    const { id, code } = await discount();
    const planId = await world.plan();
    const shown = async ({ sessionId }: Checkout) =>
      (await askJson(world, 'GET', `/api/checkout/${sessionId}`)).body.discount;
    expect(await shown(await checkout(planId, { discountId: id }))).toMatchObject({ code: null });
    const entered = await checkout(planId);
    await show(entered, code);
    expect(await shown(entered)).toMatchObject({ code });
  });
});

describe('a discount of a running subscription', () => {
  it('applies from the next payment that is not written, until it is removed', async () => {
    const planId = await world.plan();
    const customer = await world.subscriber(planId);
    const { id } = await discount({ percentBps: 2_500 });
    await world.quiet();
    await change('applyDiscount', customer, id);
    await change('applyDiscount', customer, id);
    expect(await takenOf(id)).toBe(1);
    expect(await rowOf(customer)).toMatchObject({ nextAmount: (PRICE * 3n) / 4n });
    expect(await revenue(planId)).toEqual({ moved: (30n * PRICE * 3n) / 4n, sum: (30n * PRICE * 3n) / 4n });
    await world.travel(DAY);
    await change('removeDiscount', customer);
    await world.travel(DAY);
    expect(await paid(customer)).toEqual([PRICE, (PRICE * 3n) / 4n, PRICE]);
    expect(await revenue(planId)).toEqual({ moved: 30n * PRICE, sum: 30n * PRICE });
  });

  it('is previewed for the next payment that is charged after a skipped one', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    await change('applyDiscount', customer, (await discount({ percentBps: 5_000, periods: 1 })).id);
    await change('skipNextPayment', customer);
    const { id, nextAmount } = await rowOf(customer);
    const preview = (await readAhead(db, [id], world.ctx.clock.now())).get(id)?.upcomingPayment;
    expect([nextAmount, preview?.total]).toEqual([PRICE / 2n, PRICE / 2n]);
    await world.travel(DAY);
    await world.travel(DAY);
    expect(await paid(customer)).toEqual([PRICE, 0n, PRICE / 2n]);
  });

  it('leaves a payment alone whose lines are written', async () => {
    const planId = await world.plan();
    const customer = await world.subscriber(planId, { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    const { id } = await discount({ percentBps: 5_000, periods: 1 });
    await change('applyDiscount', customer, id);
    expect(await rowOf(customer)).toMatchObject({ nextAmount: PRICE });
    await customer.setBalance(10n * PRICE);
    await world.decided(customer.id);
    await world.travel(DAY);
    expect(await paid(customer)).toEqual([PRICE, PRICE, PRICE / 2n]);
  });

  it('ends at a reactivation, whose own discount begins', async () => {
    const planId = await world.plan();
    const customer = await subscribeWith(planId, (await discount({ percentBps: 1_000 })).code);
    await world.quiet();
    await customer.cancel();
    await world.until('it is cancelled', async () => (await customer.state()).state === 'cancelled');
    await world.jump(DAY);
    await world.mirrored();
    const again = await checkout(planId, {}, customer.wallet);
    const { code } = await discount({ percentBps: 5_000, periods: 1 });
    expect((await enter(again, code)).status).toBe(200);
    await again.complete(await again.approve());
    await world.quiet();
    await world.travel(DAY);
    expect((await paid(customer)).slice(-2)).toEqual([PRICE / 2n, PRICE]);
    const { moved, sum } = await revenue(planId);
    expect(moved).toBe(sum);
  });

  it('of a subscription resumed at another price counts the revenue once', async () => {
    const planId = await world.plan({ limit: 4n * PRICE });
    const customer = await world.subscriber(planId);
    await world.quiet();
    await customer.cancel();
    await world.until('it is cancelled', async () => (await customer.state()).state === 'cancelled');
    await createPrice(world.ctx, world.scope, planId, 3n * PRICE);
    const again = await checkout(planId, {}, customer.wallet);
    await show(again, (await discount({ percentBps: 5_000 })).code);
    const signature = await again.approve();
    await world.until('it is active', async () => (await customer.state()).state === 'active');
    await again.complete(signature);
    await world.quiet();
    const { id } = await rowOf(customer);
    const changes = await db.subscriptionTransition.findMany({ where: { subscriptionId: id } });
    expect(changes.map(({ reason }) => reason)).toContain('resumed_on_chain');
    expect(await revenue(planId)).toEqual({ moved: 45n * PRICE, sum: 45n * PRICE });
  });
});

describe('in a pause', () => {
  it('a payment of which a discount takes everything stays waived when the pause ends', async () => {
    const customer = await subscribeWith(await world.plan(), (await discount({ percentBps: 10_000 })).code);
    await world.quiet();
    await world.graphql(`mutation { pauseSubscription(subscription: "${customer.id}") { id } }`);
    await world.travel(DAY + HOUR);
    const unpause = `unpauseSubscription(subscription: "${customer.id}", chargeNow: true)`;
    expect(await world.graphql(`mutation { ${unpause} { pausedFrom status } }`)).toEqual({
      unpauseSubscription: { pausedFrom: null, status: 'ACTIVE' },
    });
    await world.travel(DAY);
    const reasons = (await world.books(customer.id)).map(({ waivedReason }) => waivedReason);
    expect(reasons).toEqual(['DISCOUNT', 'DISCOUNT', 'DISCOUNT']);
  });
  it.each([
    ['with an end', 'periods: 2', null],
    ['without an end', 'reason: "Holidays"', 'chargeNow: true'],
  ])('%s, payments do not use a discount up', async (_, pause, unpause) => {
    const { code } = await discount({ percentBps: 5_000, periods: 2 });
    const open = await checkout(await world.plan());
    await show(open, code);
    const customer = await completed(open);
    await world.quiet();
    await world.graphql(`mutation { pauseSubscription(subscription: "${customer.id}", ${pause}) { id } }`);
    await world.travel(DAY);
    await world.travel(DAY);
    await world.travel(DAY + HOUR);
    if (unpause) {
      await world.graphql(
        `mutation { unpauseSubscription(subscription: "${customer.id}", ${unpause}) { id } }`,
      );
      await world.quiet();
    }
    expect(await rowOf(customer)).toMatchObject({ nextAmount: PRICE, discountUntil: 4 });
    await world.travel(DAY);
    expect(await paid(customer)).toEqual([PRICE / 2n, 0n, 0n, PRICE / 2n, PRICE]);
  });
});
