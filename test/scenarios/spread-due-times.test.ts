import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptDelay } from '../../src/domain/billing/schedule/first-attempt.ts';
import { paymentsWaiting } from '../../src/operations/work-waiting.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const WINDOW = HOUR;
const SLICE = 600;
const COUNT = 24;

const world = await sharedByFile(startWorld());

interface Crowded {
  readonly customerId: string;
  readonly customer: Subscriber;
}

/** A customer of the merchant, who has made the first payment unless the plan has a trial. */
async function subscribe(customerId: string, planId: string): Promise<Crowded> {
  const { createCheckoutSession } = await world.graphql<{ createCheckoutSession: { id: string } }>(
    `mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { id } }`,
    { input: { planId, customerEmail: `${customerId}@example.com`, customerId } },
  );
  return { customerId, customer: await world.subscriber(planId, { sessionId: createCheckoutSession.id }) };
}

const spread = (planId: string, collectWithinSeconds: number) =>
  world.graphql<{ updatePlan: { collectWithinSeconds: number } }>(
    `mutation ($planId: String!, $input: UpdatePlanInput!) {
      updatePlan(planId: $planId, input: $input) { collectWithinSeconds }
    }`,
    { planId, input: { collectWithinSeconds } },
  );

const rowOf = ({ customer: { id: address } }: Crowded) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address } });
const statusesOf = async ({ customer: { id } }: Crowded) =>
  (await world.books(id)).map(({ status }) => status);
const paidBy = async ({ customer: { wallet } }: Crowded) =>
  (100n * PRICE - (await world.tokensOf(wallet.address))) / PRICE;
const nowMs = () => world.ctx.clock.now().getTime();

interface State {
  readonly hasAccess: boolean;
  readonly subscriptions: readonly { status: string; reason: string; until: string | null }[];
}

async function stateOf({ customerId }: Crowded): Promise<State> {
  const { customerState } = await world.graphql<{ customerState: State }>(
    'query ($id: String!) { customerState(customerId: $id) { hasAccess subscriptions { status reason until } } }',
    { id: customerId },
  );
  return customerState;
}

const PAID = { hasAccess: true, subscriptions: [{ status: 'ACTIVE', reason: 'ACTIVE', until: null }] };

const crowdPlan = await world.plan();
expect(await spread(crowdPlan, WINDOW)).toEqual({ updatePlan: { collectWithinSeconds: WINDOW } });
const crowd = await Promise.all(
  Array.from({ length: COUNT }, (_, number) => subscribe(`crowd-${number}`, crowdPlan)),
);
await world.quiet();
const delays = new Map(
  await Promise.all(
    crowd.map(async (each) => [each, Number(attemptDelay((await rowOf(each)).id, BigInt(WINDOW)))] as const),
  ),
);
const delayOf = (each: Crowded) => delays.get(each) ?? 0;
/** Those of the crowd that are attempted last come first. */
const waiting = crowd.toSorted((a, b) => delayOf(b) - delayOf(a));
const next = () => waiting.shift() as Crowded;

/** Moves the time to when all of the crowd have been due for some seconds. */
async function untilDue(): Promise<void> {
  const rows = await Promise.all(crowd.map(rowOf));
  const dueMs = rows.filter(({ status }) => status === 'ACTIVE').map((row) => row.nextPaymentAt.getTime());
  await world.travel(Math.ceil((Math.max(...dueMs) - nowMs()) / 1000) + 1);
}

/** Travels past the spread: everybody who is collected has paid. */
async function untilCollected(): Promise<void> {
  await world.travel(WINDOW);
}

describe('a crowd that is due at the same time', () => {
  it('pays at the checkout, and is then collected over the window', async () => {
    for (const each of crowd) expect(await statusesOf(each)).toEqual(['SUCCEEDED']);
    const dueMs = new Map(
      await Promise.all(
        crowd.map(async (each) => [each, (await rowOf(each)).nextPaymentAt.getTime()] as const),
      ),
    );
    const attemptMs = (each: Crowded) => (dueMs.get(each) ?? 0) + delayOf(each) * 1000;
    const attemptedBy = (ms: number) => crowd.filter((each) => attemptMs(each) <= ms).length;
    const paidCount = async () => {
      const books = await Promise.all(crowd.map(statusesOf));
      return books.filter((statuses) => statuses.length === 2).length;
    };
    await untilDue();
    for (let slice = 0; slice < WINDOW / SLICE; slice++) {
      expect(await paymentsWaiting(world.ctx, 'TEST')).toMatchObject({ overdue: 0, lagSeconds: 0 });
      // Nobody has lost anything, and nobody is shown as late.
      for (const each of crowd) expect(await stateOf(each)).toEqual(PAID);
      const from = nowMs();
      await world.travel(SLICE);
      const paid = await paidCount();
      expect(paid).toBeGreaterThanOrEqual(attemptedBy(from + SLICE * 1000));
      expect(paid).toBeLessThanOrEqual(attemptedBy(nowMs()));
    }
    for (const each of crowd) {
      const [, renewal] = await world.books(each.customer.id);
      expect(renewal).toMatchObject({ status: 'SUCCEEDED', dueAt: new Date(dueMs.get(each) ?? 0) });
      const lateMs = (renewal?.paidAt?.getTime() ?? 0) - attemptMs(each);
      expect(lateMs).toBeGreaterThanOrEqual(-1_000);
      // The next due date is a day after the last one.
      expect(await rowOf(each)).toMatchObject({
        nextPaymentAt: new Date((dueMs.get(each) ?? 0) + DAY * 1000),
        nextAttemptAt: new Date(attemptMs(each) + DAY * 1000),
      });
    }
  });
});

describe('while no worker runs, a payment', () => {
  it('is late after its own time, and not from its due date on', async () => {
    await untilDue();
    const rows = await Promise.all(crowd.map(rowOf));
    const first = Math.min(...rows.map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0));
    await world.stopWorkers();
    await world.jump(Math.max(1, Math.ceil((first - nowMs()) / 1000) + 62));
    const { overdue, lagSeconds } = await paymentsWaiting(world.ctx, 'TEST');
    // Others may have a time that is almost the same.
    const late = rows.filter(({ nextAttemptAt }) => (nextAttemptAt?.getTime() ?? 0) <= nowMs() - 60_000);
    expect(overdue).toBeGreaterThanOrEqual(1);
    expect(overdue).toBeLessThanOrEqual(late.length);
    expect(lagSeconds).toBeGreaterThanOrEqual(60);
    expect(lagSeconds).toBeLessThanOrEqual((nowMs() - first) / 1000);
    await world.startWorkers();
    await world.quiet();
    expect(await paymentsWaiting(world.ctx, 'TEST')).toMatchObject({ overdue: 0 });
    await untilCollected();
  });
});

const cancel = ({ customer: { id } }: Crowded, when: 'NOW' | 'PERIOD_END') =>
  world.graphql(
    'mutation ($id: ID!, $when: CancelWhen!) { cancelSubscription(subscription: $id, when: $when) { transaction } }',
    { id, when },
  );

const OVER = { hasAccess: false, subscriptions: [{ status: 'CANCELLED', reason: 'CANCELLED' }] };

/** Expects that a subscription is cancelled, has no access, and was not charged for the due payment. */
async function expectNotCharged(each: Crowded, paid: bigint): Promise<void> {
  await world.until('it is cancelled', async () => (await rowOf(each)).status === 'CANCELLED');
  await world.quiet();
  expect(await stateOf(each)).toMatchObject(OVER);
  await untilCollected();
  await world.travel(DAY);
  expect(await stateOf(each)).toMatchObject(OVER);
  expect(await paidBy(each)).toBe(paid);
  expect(await statusesOf(each)).not.toContain('DUE');
}

describe('between its due date and its attempt, a subscription', () => {
  beforeEach(untilDue);
  afterEach(untilCollected);

  it.each(['NOW', 'PERIOD_END'] as const)('that is cancelled with %s ends, uncharged', async (when) => {
    const each = next();
    const paid = await paidBy(each);
    expect(await rowOf(each)).toMatchObject({ status: 'ACTIVE' });
    await cancel(each, when);
    await expectNotCharged(each, paid);
  });

  it('that its wallet cancels on chain ends, uncharged and without a free period', async () => {
    const each = next();
    const paid = await paidBy(each);
    await each.customer.cancel();
    await expectNotCharged(each, paid);
    // Another look at the chain does not change that.
    await world.stopIndexer();
    await world.startIndexer();
    await world.quiet();
    expect(await stateOf(each)).toMatchObject(OVER);
  });

  it('that is paused is still collected for what is due', async () => {
    const each = next();
    const [paid, before] = [await paidBy(each), await statusesOf(each)];
    await world.graphql(
      'mutation ($id: ID!) { pauseSubscription(subscription: $id, periods: 1, keepsAccess: false) { pausedFrom } }',
      { id: each.customer.id },
    );
    await world.quiet();
    expect(await paidBy(each)).toBe(paid);
    expect(await stateOf(each)).toMatchObject({ hasAccess: true });
    await untilCollected();
    expect(await statusesOf(each)).toEqual([...before, 'SUCCEEDED']);
    await world.travel(DAY);
    expect(await statusesOf(each)).toEqual([...before, 'SUCCEEDED', 'WAIVED']);
    expect(await paidBy(each)).toBe(paid + 1n);
  });

  it('of which the payment is waived is not charged, and has access', async () => {
    const each = next();
    const [paid, before] = [await paidBy(each), await statusesOf(each)];
    await world.graphql('mutation ($id: ID!) { waivePayment(subscription: $id) { status } }', {
      id: each.customer.id,
    });
    await untilCollected();
    expect(await statusesOf(each)).toEqual([...before, 'WAIVED']);
    expect(await paidBy(each)).toBe(paid);
    expect(await stateOf(each)).toEqual(PAID);
    const { nextPaymentAt, nextAttemptAt } = await rowOf(each);
    expect(nextAttemptAt).toEqual(new Date(nextPaymentAt.getTime() + delayOf(each) * 1000));
  });

  it('that is retried by its merchant is collected at once, and once', async () => {
    const each = next();
    const [paid, before] = [await paidBy(each), await statusesOf(each)];
    await world.graphql('mutation ($id: ID!) { retryPayment(subscription: $id) { status } }', {
      id: each.customer.id,
    });
    await world.until('it has paid', async () => (await paidBy(each)) === paid + 1n);
    await untilCollected();
    expect(await statusesOf(each)).toEqual([...before, 'SUCCEEDED']);
  });

  it('that cannot pay is past due only after its attempt, and retried as usual', async () => {
    const each = next();
    await each.customer.setBalance(0n);
    await world.quiet();
    expect(await stateOf(each)).toEqual(PAID);
    const { nextAttemptAt } = await rowOf(each);
    await world.travel(Math.ceil(((nextAttemptAt?.getTime() ?? 0) - nowMs()) / 1000) + 1);
    const failed = await rowOf(each);
    expect(failed).toMatchObject({ status: 'PAST_DUE', failureCount: 1 });
    const retryMs = (failed.nextAttemptAt?.getTime() ?? 0) - (nextAttemptAt?.getTime() ?? 0);
    expect(retryMs).toBeGreaterThanOrEqual(60_000);
    expect(retryMs).toBeLessThan(120_000);
  });
});

describe('a cancellation at the end of the period', () => {
  it('ends the subscription at its due date, and taken back it is spread again', async () => {
    const each = next();
    const paid = await paidBy(each);
    const { nextPaymentAt, nextAttemptAt } = await rowOf(each);
    expect(nextAttemptAt).toEqual(new Date(nextPaymentAt.getTime() + delayOf(each) * 1000));
    await cancel(each, 'PERIOD_END');
    expect(await rowOf(each)).toMatchObject({ nextAttemptAt: nextPaymentAt });
    await world.graphql('mutation ($id: ID!) { undoCancellation(subscription: $id) { status } }', {
      id: each.customer.id,
    });
    expect(await rowOf(each)).toMatchObject({ nextAttemptAt });
    await cancel(each, 'PERIOD_END');
    await untilDue();
    expect(await rowOf(each)).toMatchObject({ status: 'CANCELLED', accessUntil: nextPaymentAt });
    await expectNotCharged(each, paid);
  });
});

describe('a change of the time over which payments are spread', () => {
  it('leaves the attempts that have a time, and applies to the due dates after them', async () => {
    const planId = await world.plan();
    const each = await subscribe('changed', planId);
    await world.quiet();
    const first = await rowOf(each);
    expect(first.nextAttemptAt).toEqual(first.nextPaymentAt);
    await spread(planId, WINDOW);
    expect((await rowOf(each)).nextAttemptAt).toEqual(first.nextAttemptAt);
    await world.travel(DAY);
    const second = await rowOf(each);
    const delay = Number(attemptDelay(second.id, BigInt(WINDOW)));
    expect(second.nextAttemptAt).toEqual(new Date(second.nextPaymentAt.getTime() + delay * 1000));
    await spread(planId, 0);
    // It waits for its own time, and nobody is told that it is late.
    await world.travel(
      Math.ceil((second.nextPaymentAt.getTime() - nowMs()) / 1000) + Math.max(1, Math.min(120, delay - 1)),
    );
    expect(await paymentsWaiting(world.ctx, 'TEST')).toMatchObject({ overdue: 0 });
    await world.travel(WINDOW);
    const third = await rowOf(each);
    expect(third.nextPaymentAt).toEqual(new Date(second.nextPaymentAt.getTime() + DAY * 1000));
    expect(third.nextAttemptAt).toEqual(third.nextPaymentAt);
  });

  it('reaches the first payment after a trial, which nobody waits for', async () => {
    const planId = await world.plan({ trial: DAY });
    await spread(planId, WINDOW);
    const { id, nextPaymentAt, nextAttemptAt } = await rowOf(await subscribe('trial', planId));
    const delay = Number(attemptDelay(id, BigInt(WINDOW)));
    expect(nextAttemptAt).toEqual(new Date(nextPaymentAt.getTime() + delay * 1000));
  });

  it('is refused with its bounds', async () => {
    const planId = await world.plan({ interval: HOUR });
    await expect(spread(planId, 361)).rejects.toThrow(
      'collectWithinSeconds is 361, and must be a whole number from 0 to 360',
    );
  });
});
