import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyAuthority } from '../../indexer/apply-authority.ts';
import type { AppContext } from '../../src/app.ts';
import { customerIds } from '../../src/domain/customer/list-customers.ts';
import { eventsWhere } from '../../src/domain/event/list-events.ts';
import { readOn } from '../../src/domain/export/oldest-first.ts';
import { beyond, NEWEST_FIRST } from '../../src/domain/merchant/place.ts';
import type { Scope } from '../../src/domain/merchant/scope.ts';
import { planTotals } from '../../src/domain/metrics/plan-changes.ts';
import { paymentsWhere } from '../../src/domain/payment/list-payments.ts';
import { subscriptionsWhere } from '../../src/domain/subscription/list-subscriptions.ts';
import { observeAuthorityClosed } from '../../src/domain/subscription/observe-authorities-closed.ts';
import { namedAddress } from '../support/named-address.ts';
import { startDatabase } from './database.ts';
import { seedMany } from './many-rows.ts';
import { statementsOf } from './statements.ts';

const MANY = 50_000;
/** The wallet of one of them. */
const PAYER = namedAddress('wallet-77');
/** Pages of the database that a list's page may read: some rows and the way to them. A walk through all is thousands. */
const MAX_BLOCKS = 400;

let world: Awaited<ReturnType<typeof startDatabase>>;
let scope: Scope;
beforeAll(async () => {
  world = await startDatabase();
  scope = await world.newScope();
  await seedMany(world.db, scope, MANY);
  await world.db.customer.updateMany({
    where: { walletAddress: 'wallet-77' },
    data: { walletAddress: PAYER },
  });
}, 120_000);
afterAll(() => world.close());

/** Of the statements that `work` has the database run, the blocks that the dearest one reads. */
async function blocksOf(work: () => Promise<unknown>): Promise<number> {
  const seen = await statementsOf(work);
  expect(seen).not.toEqual([]);
  const costs: number[] = [];
  for (const { text, values } of seen) {
    const plan = await world.db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      ...values,
    );
    const { Plan } = plan[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
    costs.push((Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0));
  }
  return Math.max(...costs);
}

const middle = async (table: 'subscription' | 'payment' | 'event' | 'customer') => {
  const at = new Date(Date.UTC(2026, 0, 1) + (MANY / 2) * 1000);
  const where = { ...scope, createdAt: at };
  const { db } = world;
  const find = { subscription: db.subscription, payment: db.payment, event: db.event, customer: db.customer };
  return (find[table].findFirstOrThrow as (q: object) => Promise<{ id: string; createdAt: Date }>)({ where });
};

it.each([
  ['all of them', {}],
  ['the rare ones', { status: 'PAST_DUE' }],
  ['a small plan', { planId: 'small' }],
  ['a customer', { customer: 'customer-77@EXAMPLE.com' }],
  ['a wallet', { walletAddress: PAYER }],
  ['a search', { search: 'CUSTOMER-77@example.com' }],
  ['a search for nobody', { search: 'nobody' }],
  ['a day', { from: new Date('2026-01-01T02:00:00Z'), to: new Date('2026-01-01T03:00:00Z') }],
] as const)(
  'a page of %s among many subscriptions reads little, also deep in the list',
  async (_, filter) => {
    const { subscription } = world.db;
    const where = await subscriptionsWhere(world.db, scope, filter);
    const deep = beyond(await middle('subscription'), 'older');
    const page = { orderBy: NEWEST_FIRST, take: 21 };
    expect(await blocksOf(() => subscription.findMany({ ...page, where }))).toBeLessThan(MAX_BLOCKS);
    expect(
      await blocksOf(() => subscription.findMany({ ...page, where: { AND: [where, deep] } })),
    ).toBeLessThan(MAX_BLOCKS);
  },
);

it.each([
  ['all of them', {}],
  ['the rare ones', { status: 'FAILED' }],
  ['a small plan', { planId: 'small' }],
] as const)('so does a page of %s among many payments', async (_, filter) => {
  const where = await paymentsWhere(world.db, scope, filter);
  const deep = readOn(where, await middle('payment'), 21);
  expect(await blocksOf(() => world.db.payment.findMany(deep))).toBeLessThan(MAX_BLOCKS);
});

it.each([
  ['all of them', {}],
  ['the rare ones', { type: 'subscription.payment_failed' }],
])('so does a page of %s among many events', async (_, filter) => {
  const where = await eventsWhere(world.db, scope, filter);
  const deep = readOn(where, await middle('event'), 21);
  expect(await blocksOf(() => world.db.event.findMany(deep))).toBeLessThan(MAX_BLOCKS);
});

it.each([
  ['all of them', {}],
  ['how one begins', { search: 'customer-777' }],
  ['how many begin', { search: 'customer-' }],
  ['a wallet', { search: PAYER }],
])('so does a page of %s among many customers', async (_, filter) => {
  const cursor = await middle('customer');
  const page = (take: number) => customerIds(world.db, scope, filter, { take, cursor });
  expect(await blocksOf(() => page(21))).toBeLessThan(MAX_BLOCKS);
  expect(await blocksOf(() => page(-21))).toBeLessThan(MAX_BLOCKS);
});

it('a plan’s totals are not counted from its subscriptions', async () => {
  const plans = await world.db.plan.findMany({ where: scope });
  const ids = plans.map(({ id }) => id);
  expect(await blocksOf(() => planTotals(world.db, ids))).toBeLessThan(MAX_BLOCKS);
  const totals = await planTotals(world.db, ids);
  const small = totals.get(plans.find(({ planId }) => planId === 'small')?.id ?? '');
  expect(small).toMatchObject({ active: 450, pastDue: 50, paid: 450, failed: 50, collected: 2_250_000_000n });
});

it('what is paid through an authority that anybody opened or closed is looked for in an index', async () => {
  const ctx = { ...world, chain: { TEST: { environment: 'TEST' } } } as unknown as AppContext;
  const authority = { address: PAYER, slot: 1n };
  const opened = { user: PAYER, mint: PAYER, initId: 1n };
  const closed = { ...authority, user: PAYER };
  const { environment } = scope;
  expect(await blocksOf(() => applyAuthority(ctx, environment, authority, opened))).toBeLessThan(MAX_BLOCKS);
  expect(await blocksOf(() => observeAuthorityClosed(ctx, environment, closed))).toBeLessThan(MAX_BLOCKS);
});
