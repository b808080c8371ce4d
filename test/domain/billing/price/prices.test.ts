import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPrice } from '../../../../src/domain/billing/price/create-price.ts';
import { LINE_SOURCES } from '../../../../src/domain/billing/price/line-sources.ts';
import { retirePrice } from '../../../../src/domain/billing/price/retire-price.ts';
import { readAhead } from '../../../../src/domain/billing/read/upcoming-payment.ts';
import { completeCheckout } from '../../../../src/domain/checkout/completion/complete-checkout.ts';
import { getPublicSession } from '../../../../src/domain/checkout/session/get-checkout-session.ts';
import type { Plan } from '../../../../src/generated/prisma/client.ts';
import { recordStatements } from '../../../../tools/statements.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, invalid, PRICE, refusal, startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const { ctx, db } = world;

let serial = 0;
const publish = (terms: object = {}) =>
  world.publishPlan(merchant, { planId: `priced-${++serial}`, ...terms });
const create = ({ planId }: Plan, amount: bigint) => createPrice(ctx, merchant.scope, planId, amount);
const pricesOf = ({ id }: Plan) => db.price.findMany({ where: { planId: id }, orderBy: { version: 'asc' } });
const firstPrice = async (plan: Plan) => (await pricesOf(plan))[0]?.id ?? '';

describe('a price', () => {
  it('of a new plan is version 1, and the next one is for new subscriptions', async () => {
    const plan = await publish({ maxAmount: 4n * PRICE });
    const first = await world.subscribe(merchant, plan, await world.newWallet());
    const second = await create(plan, 2n * PRICE);
    const later = await world.subscribe(merchant, plan, await world.newWallet());
    expect(await pricesOf(plan)).toMatchObject([
      { version: 1, amount: PRICE, retiredAt: null },
      { version: 2, amount: 2n * PRICE, retiredAt: null },
    ]);
    expect((await db.plan.findUniqueOrThrow({ where: { id: plan.id } })).amount).toBe(2n * PRICE);
    expect(first).toMatchObject({ priceId: await firstPrice(plan), nextAmount: PRICE });
    expect(later).toMatchObject({ priceId: second.id, nextAmount: 2n * PRICE });
    const event = await db.event.findFirstOrThrow({
      where: { subscriptionId: later.id, type: 'subscription.created' },
    });
    expect(event.data).toMatchObject({ plan: { amount: `${2n * PRICE}` } });
  });

  it.each([0n, -1n, PRICE + 1n])('of %s is refused for a limit of the price', async (amount) => {
    const plan = await publish();
    expect(await refusal(create(plan, amount))).toEqual(invalid('amount'));
    expect(await pricesOf(plan)).toHaveLength(1);
  });

  it('never changes, and is retired once, but not while it is current', async () => {
    const plan = await publish();
    const first = await firstPrice(plan);
    expect(await refusal(retirePrice(ctx, merchant.scope, first))).toEqual(invalid('priceId'));
    await create(plan, 1n);
    const { retiredAt } = await retirePrice(ctx, merchant.scope, first);
    expect(retiredAt).not.toBeNull();
    expect((await retirePrice(ctx, merchant.scope, first)).retiredAt).toEqual(retiredAt);
    await expect(db.price.update({ where: { id: first }, data: { amount: 2n } })).rejects.toThrow(
      'retirement',
    );
    await expect(db.price.update({ where: { id: first }, data: { retiredAt: null } })).rejects.toThrow(
      'retirement',
    );
    const other = await world.newMerchant();
    expect(await refusal(retirePrice(ctx, other.scope, first))).toEqual({
      code: 'not_found',
      param: 'priceId',
    });
  });
});

describe('a plan', () => {
  it('has at most 100 prices', async () => {
    const plan = await publish();
    const rows = Array.from({ length: 98 }, (_, index) => ({
      id: randomUUID(),
      planId: plan.id,
      version: index + 2,
      amount: 1n,
    }));
    await db.price.createMany({ data: rows });
    expect(await create(plan, 1n)).toMatchObject({ version: 100 });
    expect(await refusal(create(plan, 1n))).toEqual(invalid('planId'));
  });
});

describe('a checkout session', () => {
  it('keeps its price when the plan gets another one', async () => {
    const plan = await publish({ maxAmount: 2n * PRICE });
    const wallet = await world.newWallet();
    const sessionId = await world.openSession(merchant, plan);
    await create(plan, 2n * PRICE);
    expect((await getPublicSession(ctx, sessionId)).plan).toMatchObject({ amount: PRICE });
    await completeCheckout(ctx, sessionId, await world.approve(sessionId, plan, wallet));
    const { subscription } = await db.checkoutSession.findUniqueOrThrow({
      where: { id: sessionId },
      include: { subscription: true },
    });
    expect(subscription).toMatchObject({ priceId: await firstPrice(plan), nextAmount: PRICE });
  });

  it('may name an earlier price, but not a retired one or one of another plan', async () => {
    const plan = await publish({ maxAmount: 2n * PRICE });
    const first = await firstPrice(plan);
    const second = await create(plan, 2n * PRICE);
    const subscription = await world.subscribe(merchant, plan, await world.newWallet(), { priceId: first });
    expect(subscription).toMatchObject({ priceId: first, nextAmount: PRICE });
    await retirePrice(ctx, merchant.scope, first);
    const open = (priceId: string, other = plan) => refusal(world.openSession(merchant, other, { priceId }));
    expect(await open(first)).toEqual(invalid('priceId'));
    expect(await open(second.id, await publish())).toEqual(invalid('priceId'));
    expect(await open('x')).toEqual(invalid('priceId'));
  });
});

describe('the bit of the price', () => {
  it('is set unless the release before charges the same and the limit stops it', async () => {
    const plain = await publish();
    const subscription = await world.subscribe(merchant, plain, await world.newWallet());
    expect(subscription.lineSources).toBe(0);
    await create(plain, PRICE - 1n);
    const after = await db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
    expect(after.lineSources).toBe(LINE_SOURCES.PRICE);
    const limited = await world.subscribe(
      merchant,
      await publish({ maxAmount: 2n * PRICE }),
      await world.newWallet(),
    );
    expect(limited.lineSources).toBe(LINE_SOURCES.PRICE);
  });

  it('is set in all subscriptions that need it, each read once before the lock', async () => {
    const plan = await publish();
    const { id } = await world.subscribe(merchant, plan, await world.newWallet());
    await copySubscription(id, 2_500);
    const statements = await recordStatements(() => create(plan, PRICE - 1n));
    // Three batches, one that is empty, and one for those that were added meanwhile.
    expect(statements.filter(({ text }) => text.includes('"unmarked"'))).toHaveLength(5);
    const marks = await db.subscription.groupBy({
      by: ['lineSources'],
      where: { planId: plan.id },
      _count: true,
    });
    expect(marks).toEqual([{ lineSources: LINE_SOURCES.PRICE, _count: 2_501 }]);
  });

  it('is not set where the price stays the amount of the plan and its limit', async () => {
    const plan = await publish();
    const { id } = await world.subscribe(merchant, plan, await world.newWallet());
    await create(plan, PRICE);
    const { lineSources } = await db.subscription.findUniqueOrThrow({ where: { id } });
    expect(lineSources).toBe(0);
  });

  it('ends the claim of a worker that has prepared a payment without it, and no other', async () => {
    const plan = await publish({ maxAmount: 2n * PRICE });
    const marked = await world.subscribe(merchant, plan, await world.newWallet());
    const unmarked = await world.subscribe(merchant, plan, await world.newWallet());
    await db.subscription.update({ where: { id: unmarked.id }, data: { lineSources: 0 } });
    const claimedUntil = new Date(ctx.clock.now().getTime() + 60_000);
    const ids = [marked.id, unmarked.id];
    await db.$executeRaw`UPDATE "Subscription" SET "claimedUntil" = ${claimedUntil}, "claimSources" = 1
      WHERE "id" = ANY(${ids}::uuid[])`;
    await create(plan, 2n * PRICE);
    const claims = await Promise.all(ids.map((id) => db.subscription.findUniqueOrThrow({ where: { id } })));
    expect(claims.map((row) => row.claimedUntil)).toEqual([claimedUntil, null]);
  });
});

/** Copies a subscription, under other addresses. */
const copySubscription = (id: string, count: number) => db.$executeRaw`
  INSERT INTO "Subscription" SELECT (jsonb_populate_record(s,
    jsonb_build_object('id', gen_random_uuid(), 'address', 'copy ' || n))).*
  FROM "Subscription" s, generate_series(1, ${count}::int) n WHERE s."id" = ${id}::uuid`;

describe('what is ahead of a subscription', () => {
  const ahead = async (id: string) => (await readAhead(db, [id], ctx.clock.now())).get(id);

  it('is its own price with the limit, and what is left of it', async () => {
    const plan = await publish({ maxAmount: 4n * PRICE });
    const { id, nextPaymentAt } = await world.subscribe(merchant, plan, await world.newWallet());
    await create(plan, 3n * PRICE);
    expect(await ahead(id)).toEqual({
      upcomingPayment: {
        dueAt: nextPaymentAt,
        lines: [{ kind: 'FLAT', text: plan.name, amount: PRICE }],
        total: PRICE,
        limit: 4n * PRICE,
        isExact: true,
      },
      limitLeft: 4n * PRICE,
    });
    await world.travel(3 * DAY);
    const { upcomingPayment } = (await ahead(id)) ?? {};
    expect(upcomingPayment?.dueAt).toEqual(new Date(nextPaymentAt.getTime() + 3 * DAY * 1_000));
  });

  it('is nothing if the subscription is cancelled at the end of its period', async () => {
    const { id } = await world.subscribe(merchant, await publish(), await world.newWallet());
    await db.subscription.update({ where: { id }, data: { cancelAtPeriodEnd: true } });
    expect(await ahead(id)).toMatchObject({ upcomingPayment: null, limitLeft: PRICE });
  });
});
