/** What merchants and customers do at random, day after day, and what becomes of each period. */
import { expect, it } from 'vitest';
import { linesOf } from '../../src/domain/billing/price/line.ts';
import { Random } from '../../tools/random.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const SEED = 11;
const CUSTOMERS = 10;
const DAYS = 14;
/** The days that begin with an outage of a day. */
const OUTAGES = [6, 11];

interface Shown {
  readonly upcomingPayment: { readonly dueAt: string; readonly total: string } | null;
  readonly startedAt: string;
}

async function shown({ id }: Subscriber): Promise<Shown> {
  const { subscription } = await world.graphql<{ subscription: Shown }>(
    'query ($id: ID!) { subscription(id: $id) { startedAt upcomingPayment { dueAt total } } }',
    { id },
  );
  return subscription;
}

const tokensOf = ({ wallet }: Subscriber) => world.tokensOf(wallet.address);
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

async function discountOf(input: object): Promise<string> {
  const { createDiscount } = await world.graphql<{ createDiscount: { id: string } }>(
    'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }',
    { input },
  );
  return createDiscount.id;
}

it('each period is charged, waived or missed once, as it was foretold', async () => {
  const random = new Random(SEED);
  const planId = await world.plan();
  const half = await discountOf({ name: 'Half', percentBps: 5_000, periods: 2 });
  const less = await discountOf({ name: 'Less', percentBps: 1_000 });
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => world.subscriber(planId)));
  await world.quiet();
  const changes = [
    ...['pauseSubscription', 'skipNextPayment', 'removeDiscount'].map((name) => `${name}(subscription: $id)`),
    ...[1, 2, 3].map((periods) => `pauseSubscription(subscription: $id, periods: ${periods})`),
    ...[true, false].map((chargeNow) => `unpauseSubscription(subscription: $id, chargeNow: ${chargeNow})`),
    ...[1, 2].map((count) => `grantFreePeriods(subscription: $id, count: ${count})`),
    'waivePayment(subscription: $id)',
    ...[half, less].map((id) => `applyDiscount(subscription: $id, discountId: "${id}")`),
  ];
  /** Tries a change. The rules may refuse it. */
  async function change({ id }: Subscriber): Promise<boolean> {
    const mutation = changes[random.below(changes.length)];
    try {
      await world.graphql(`mutation ($id: ID!) { ${mutation} { id } }`, { id });
      return true;
    } catch (error) {
      if (!`${error}`.includes('invalid_request')) throw error;
      return false;
    }
  }

  let period = 0;
  let made = 0;
  for (let day = 1; day <= DAYS; day++) {
    for (const customer of customers) {
      if (random.below(2) === 0 && (await change(customer))) made += 1;
    }
    // Running periods that are paid now.
    await world.quiet();
    const foretold = await Promise.all(customers.map(shown));
    const before = await Promise.all(customers.map(tokensOf));
    if (OUTAGES.includes(day)) {
      await world.stopWorkers();
      await world.jump(2 * DAY);
      await world.startWorkers();
      await world.quiet();
      period += 2;
      continue;
    }
    await world.travel(DAY);
    period += 1;
    const spent = await Promise.all(
      customers.map(async (customer, index) => (before[index] ?? 0n) - (await tokensOf(customer))),
    );
    const expected = foretold.map(({ upcomingPayment, startedAt }) => {
      const dueAt = Date.parse(startedAt) + period * DAY * 1_000;
      const isDue = upcomingPayment && Date.parse(upcomingPayment.dueAt) === dueAt;
      return isDue ? BigInt(upcomingPayment.total) : 0n;
    });
    expect(spent).toEqual(expected);
  }

  expect(made).toBeGreaterThan(40);
  const outcomes = new Set<string>();
  for (const customer of customers) {
    const rows = await world.books(customer.id);
    const dueAt = rows.map((row) => row.dueAt.getTime());
    expect(dueAt).toEqual(dueAt.map((_, index) => (dueAt[0] ?? 0) + index * DAY * 1_000));
    expect(rows).toHaveLength(period + 1);
    for (const row of rows) {
      outcomes.add(row.status);
      expect(['SUCCEEDED', 'WAIVED', 'MISSED']).toContain(row.status);
      expect(row.paidAmount).toBe(row.status === 'SUCCEEDED' ? row.amount : 0n);
      const lines = linesOf({ lines: row.lines });
      expect(sumOf(lines.map(({ amount }) => amount))).toBe(row.amount);
      expect(lines[0]).toMatchObject({ kind: 'FLAT', amount: PRICE });
    }
    const paid = sumOf(rows.map(({ paidAmount }) => paidAmount));
    expect(100n * PRICE - (await tokensOf(customer))).toBe(paid);
  }
  expect([...outcomes].sort()).toEqual(['MISSED', 'SUCCEEDED', 'WAIVED']);
});
