import { expect, it } from 'vitest';
import { applyAuthority } from '../../indexer/apply/apply-authority.ts';
import type { AppContext } from '../../src/app.ts';
import { customerIds } from '../../src/domain/accounts/customer/list-customers.ts';
import { getOnboarding } from '../../src/domain/accounts/merchant/onboarding.ts';
import { observeAuthorityClosed } from '../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import { paymentsWhere } from '../../src/domain/billing/read/list-payments.ts';
import { statusesOf, subscriptionsWhere } from '../../src/domain/billing/read/subscription-filter.ts';
import { readPageOf, SUBSCRIPTION_ORDERS } from '../../src/domain/billing/read/subscription-order.ts';
import { listReceipts } from '../../src/domain/billing/receipt/list-receipts.ts';
import { refundsWhere } from '../../src/domain/billing/refund/refunds-where.ts';
import {
  listWaitingSessions,
  MAX_WAITING_SESSIONS,
  withWaitingCheckout,
} from '../../src/domain/checkout/completion/waiting-checkouts.ts';
import { sponsoredSince } from '../../src/domain/checkout/sponsoring/sponsor-budget.ts';
import { pageAfter } from '../../src/domain/insight/export/page-after.ts';
import { planTotals } from '../../src/domain/insight/metrics/plan-changes.ts';
import { search } from '../../src/domain/insight/search/search.ts';
import { NEWEST_FIRST, rowsBeyond } from '../../src/domain/kernel/paging/list-position.ts';
import { eventsWhere } from '../../src/domain/messages/event/events-where.ts';
import { startBareWorld } from '../management/database.ts';
import { seedMany, seedReceipts } from '../management/many-rows.ts';
import { countBlocksRead } from '../support/count-blocks-read.ts';
import { namedAddress } from '../support/named-address.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const MANY = 50_000;
/** The wallet of one subscription. */
const PAYER = namedAddress('wallet-77');
/** One hour in the middle of the rows. */
const RANGE = {
  nextPaymentFrom: new Date('2026-01-02T07:00:00Z'),
  nextPaymentTo: new Date('2026-01-02T08:00:00Z'),
};
/**
 * Maximum number of database pages that a page of a list may read: some rows and their index. A
 * full scan reads thousands.
 */
const MAX_BLOCKS = 400;

// Entries of removed rows in an index would be read too.
const world = await sharedByFile(startBareWorld({ isNew: true }));
const scope = await world.newScope();
await seedMany(world.db, scope, MANY);
await seedReceipts(world.db, scope);
// 29 days of customers, 1,728 a day.
await world.db.$executeRaw`
  UPDATE "Customer" SET "createdAt" = '2026-01-01T00:00:00Z'::timestamptz + 50 * ("createdAt" - '2026-01-01T00:00:00Z'),
    "walletAddress" = CASE "walletAddress" WHEN 'wallet-77' THEN ${PAYER} ELSE "walletAddress" END`;
await world.db.$executeRawUnsafe('ANALYZE "Customer"');
/** When the customer with this number was created. */
function createdAs(number: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + number * 50_000);
}

const countBlocks = (work: () => Promise<unknown>) => countBlocksRead(world.db, work);

const findMiddleRow = async (table: 'subscription' | 'payment' | 'event' | 'customer') => {
  const at = table === 'customer' ? createdAs(MANY / 2) : new Date(Date.UTC(2026, 0, 1) + (MANY / 2) * 1000);
  const where = { ...scope, createdAt: at };
  const { db } = world;
  const find = { subscription: db.subscription, payment: db.payment, event: db.event, customer: db.customer };
  return (find[table].findFirstOrThrow as (q: object) => Promise<{ id: string; createdAt: Date }>)({ where });
};

it.each([
  ['all rows', {}],
  ['rare rows', { status: 'PAST_DUE' }],
  ['a small plan', { planId: 'small' }],
  ['a customer', { customer: 'customer-77@EXAMPLE.com' }],
  ['a wallet', { walletAddress: PAYER }],
  ['a search', { search: 'CUSTOMER-77@example.com' }],
  ['a search without a match', { search: 'nobody' }],
  ['a day', { from: new Date('2026-01-01T02:00:00Z'), to: new Date('2026-01-01T03:00:00Z') }],
] as const)(
  'a page of %s among many subscriptions reads few blocks, even deep in the list',
  async (_, filter) => {
    const { subscription } = world.db;
    const where = await subscriptionsWhere(world.db, scope, filter);
    const deep = rowsBeyond(await findMiddleRow('subscription'), 'older');
    const page = { orderBy: NEWEST_FIRST, take: 21 };
    expect(await countBlocks(() => subscription.findMany({ ...page, where }))).toBeLessThan(MAX_BLOCKS);
    expect(
      await countBlocks(() => subscription.findMany({ ...page, where: { AND: [where, deep] } })),
    ).toBeLessThan(MAX_BLOCKS);
  },
);

it.each([
  ['two statuses in the order of creation', { statuses: ['PAST_DUE', 'EXPIRED'] }, 'CREATED'],
  ['subscriptions with a next payment, by its date', { isToBePaid: true }, 'NEXT_PAYMENT'],
  ['one hour of next payments', RANGE, 'NEXT_PAYMENT'],
  [
    'cancellations at the end of the period',
    { cancelAtPeriodEnd: true, statuses: ['ACTIVE', 'PAST_DUE'] },
    'CREATED',
  ],
  ['one failure code', { failureCode: 'INSUFFICIENT_FUNDS' }, 'CREATED'],
] as const)('a page of %s reads few blocks, even deep in the list', async (_, filter, orderBy) => {
  const order = SUBSCRIPTION_ORDERS[orderBy];
  const where = await subscriptionsWhere(world.db, scope, filter);
  const statuses = statusesOf(filter) ?? [];
  const id = (await findMiddleRow('subscription')).id;
  const position = await world.db.subscription.findUniqueOrThrow({ where: { id } });
  const deep = { AND: [where, order.beyond(position, 'older')] };
  for (const condition of [where, deep]) {
    const read = () => readPageOf(world.db, statuses, order, { where: condition, take: 21 });
    expect(await countBlocks(read)).toBeLessThan(MAX_BLOCKS);
  }
});

it('a page of payments by failure reason or customer reads only matching payments', async () => {
  for (const filter of [
    { failureCode: 'ACCOUNT_FROZEN' },
    { customer: 'customer-77@example.com' },
  ] as const) {
    const find = async () => {
      const where = await paymentsWhere(world.db, scope, filter);
      return world.db.payment.findMany({ where, orderBy: NEWEST_FIRST, take: 21 });
    };
    expect(await countBlocks(find)).toBeLessThan(MAX_BLOCKS);
  }
});

it.each([
  ['all rows', {}],
  ['rare rows', { status: 'FAILED' }],
  ['a small plan', { planId: 'small' }],
] as const)('a page of %s among many payments reads few blocks, even deep in the list', async (_, filter) => {
  const where = await paymentsWhere(world.db, scope, filter);
  const deep = pageAfter(where, await findMiddleRow('payment'), 21);
  expect(await countBlocks(() => world.db.payment.findMany(deep))).toBeLessThan(MAX_BLOCKS);
});

it.each([
  ['all rows', {}],
  ['a customer', { customer: 'customer-77@example.com' }],
  ['a day', { from: new Date('2026-01-01T02:00:00Z'), to: new Date('2026-01-01T03:00:00Z') }],
  ['a number', { number: 40_000 }],
])('a page of %s among many receipts reads few blocks, even deep in the list', async (_, filter) => {
  for (const before of [undefined, MANY / 2]) {
    const read = () => listReceipts(world, scope, { ...filter, before });
    expect(await countBlocks(read)).toBeLessThan(MAX_BLOCKS);
  }
});

it('waiting checkouts are found by their wallets without reading the other checkouts', async () => {
  const { db } = world;
  const plan = await db.plan.findFirstOrThrow({ where: { ...scope, planId: 'big' } });
  await db.$executeRaw`
    INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "customerEmail", "walletAddress",
      "earlierWallets", "status", "createdAt", "expiresAt")
    SELECT 'cs_' || i, "merchantId", "environment", "id", 'ada@example.com', 'wallet-' || i,
      CASE WHEN i % 10 = 0 THEN ARRAY['earlier-' || i] ELSE '{}' END, 'EXPIRED', now(), now()
    FROM "Plan", generate_series(1, ${MANY}::int) AS i WHERE "id" = ${plan.id}::uuid`;
  await db.$executeRawUnsafe('ANALYZE "CheckoutSession"');
  const wallets = [50, 60, 70, 81].flatMap((i) => [`wallet-${i}`, `earlier-${i}`, `nobody-${i}`]);
  const observed = wallets.map((subscriber) => ({ account: { plan: plan.address, subscriber } }));
  const find = (candidates: object[]) =>
    withWaitingCheckout(world, scope.environment, candidates as Parameters<typeof withWaitingCheckout>[2]);
  expect(await countBlocks(() => find(observed))).toBeLessThan(MAX_BLOCKS);
  expect(await countBlocks(() => find(observed.slice(0, 1)))).toBeLessThan(MAX_BLOCKS);
  expect(await find(observed)).toHaveLength(7);
});

it('of a wallet with very many waiting checkouts, only a bounded number is read', async () => {
  const { db } = world;
  const plan = await db.plan.findFirstOrThrow({ where: { ...scope, planId: 'small' } });
  await db.$executeRaw`
    INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "customerEmail", "walletAddress",
      "earlierWallets", "status", "createdAt", "expiresAt")
    SELECT 'cs_of_one_' || i, "merchantId", "environment", "id", 'ada@example.com', 'one',
      ARRAY['with-' || i], 'EXPIRED', now() + i * interval '1 second', now()
    FROM "Plan", generate_series(1, ${MANY}::int) AS i WHERE "id" = ${plan.id}::uuid`;
  await db.$executeRawUnsafe('ANALYZE "CheckoutSession"');
  const observed = { account: { plan: plan.address, subscriber: 'one' } } as unknown as Parameters<
    typeof withWaitingCheckout
  >[2][number];
  const find = () => withWaitingCheckout(world, scope.environment, [observed]);
  expect(await countBlocks(find)).toBeLessThan(MAX_BLOCKS);
  expect(await find()).toEqual([observed]);
  const sessions = await listWaitingSessions(world, { planId: plan.id, wallet: 'one' });
  expect(sessions.map(({ id }) => id)).toEqual(
    Array.from({ length: MAX_WAITING_SESSIONS }, (_, index) => `cs_of_one_${MANY - index}`),
  );
});

it('the sponsor’s budget is read without the expired transactions', async () => {
  const { db } = world;
  await db.$executeRaw`
    INSERT INTO "SponsoredTransaction" ("id", "merchantId", "environment", "planId", "sessionId", "walletAddress",
      "collector", "lamports", "status", "lastValidBlockHeight", "createdAt")
    SELECT gen_random_uuid(), "merchantId", "environment", "id", i::text, i::text, 'collector',
      CASE WHEN i <= 100 THEN 10 ELSE 0 END, (CASE WHEN i <= 100 THEN 'LANDED' ELSE 'EXPIRED' END)::"SponsoredStatus",
      1, now()
    FROM "Plan", generate_series(1, ${MANY}::int) AS i
    WHERE "merchantId" = ${scope.merchantId}::uuid AND "planId" = 'big'`;
  await db.$executeRawUnsafe('ANALYZE "SponsoredTransaction"');
  for (const payer of [scope, { environment: scope.environment }]) {
    const read = () => sponsoredSince(db, payer, new Date());
    expect(await countBlocks(read)).toBeLessThan(MAX_BLOCKS);
    expect(await read()).toBe(1_000n);
  }
});

it('a page of receipts of a subscription reads only its receipts', async () => {
  const { id } = await world.db.subscription.findFirstOrThrow({ where: { walletAddress: 'wallet-78' } });
  const read = () => listReceipts(world, scope, { subscriptionId: id });
  expect(await countBlocks(read)).toBeLessThan(MAX_BLOCKS);
  expect((await listReceipts(world, scope, { subscriptionId: id })).data).toHaveLength(1);
});

it.each([
  ['rare rows', 'PENDING'],
  ['a status without rows', 'EXPIRED'],
  ['the most frequent rows', 'SUCCEEDED'],
] as const)('a page of %s among many refunds reads few blocks', async (_, status) => {
  const where = refundsWhere(scope, { status });
  const page = { where, orderBy: NEWEST_FIRST, take: 21 };
  expect(await countBlocks(() => world.db.refund.findMany(page))).toBeLessThan(MAX_BLOCKS);
});

it.each([
  ['all rows', {}],
  ['rare rows', { type: 'subscription.payment_failed' }],
])('a page of %s among many events reads few blocks', async (_, filter) => {
  const where = await eventsWhere(world.db, scope, filter);
  const deep = pageAfter(where, await findMiddleRow('event'), 21);
  expect(await countBlocks(() => world.db.event.findMany(deep))).toBeLessThan(MAX_BLOCKS);
});

it.each([
  ['all rows', {}],
  ['a prefix of few rows', { search: 'customer-777' }],
  ['a prefix of all rows', { search: 'customer-' }],
  ['a prefix of many rows that are far away', { search: 'customer-1' }],
  ['a wallet', { search: PAYER }],
])('a page of %s among many customers reads few blocks', async (_, filter) => {
  const cursor = await findMiddleRow('customer');
  const page = (take: number) => customerIds(world.db, scope, filter, { take, cursor });
  expect(await countBlocks(() => page(21))).toBeLessThan(MAX_BLOCKS);
  expect(await countBlocks(() => page(-21))).toBeLessThan(MAX_BLOCKS);
});

const countUp = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);
const START = countUp(10, 19);
const RANGE_OF_ROWS = { from: createdAs(1_500), to: createdAs(15_000) };
it.each([
  [
    'older',
    25_000,
    12_000,
    {},
    [1, ...START, ...countUp(100, 199), ...countUp(1_000, 1_999), ...countUp(10_000, 19_999)].toReversed(),
  ],
  ['a few older', 25_000, 5, {}, countUp(19_995, 19_999).toReversed()],
  ['newer', 25, -12_000, {}, [...countUp(100, 199), ...countUp(1_000, 1_999), ...countUp(10_000, 19_999)]],
  [
    'older of a time',
    25_000,
    12_000,
    RANGE_OF_ROWS,
    [...countUp(1_500, 1_999), ...countUp(10_000, 14_999)].toReversed(),
  ],
  ['newer of a time', 25, -12_000, RANGE_OF_ROWS, [...countUp(1_500, 1_999), ...countUp(10_000, 14_999)]],
])('a search with many matches finds all %s customers in order', async (_, row, take, range, expected) => {
  const { id } = await world.db.customer.findFirstOrThrow({ where: { ...scope, createdAt: createdAs(row) } });
  const cursor = { id, createdAt: createdAs(row) };
  const ids = await customerIds(world.db, scope, { search: 'customer-1', ...range }, { take, cursor });
  const found = await world.db.customer.findMany({ where: { id: { in: ids } } });
  const numbers = new Map(found.map((customer) => [customer.id, Number(/\d+/.exec(customer.email)?.[0])]));
  expect(ids.map((each) => numbers.get(each))).toEqual(expected);
});

it.each([
  ['a prefix of few rows', 'customer-777'],
  ['a prefix of all rows', 'customer-'],
  ['a wallet', PAYER],
  ['an unknown name', 'nobody'],
])('a page of %s among many customers reads few blocks without statistics', async (_, search) => {
  const cursor = await findMiddleRow('customer');
  const deleteStatistics = (db: typeof world.db) => db.$executeRaw`
      DELETE FROM pg_statistic WHERE starelid = ANY (ARRAY['"Customer"', '"Customer_email"']::regclass[])`;
  await deleteStatistics(world.db);
  const page = (take: number) => customerIds(world.db, scope, { search }, { take, cursor });
  expect(await countBlocks(() => page(21))).toBeLessThan(MAX_BLOCKS);
  expect(await countBlocks(() => page(-21))).toBeLessThan(MAX_BLOCKS);
});

it('a search reads only its hits, by every field', async () => {
  await world.db.$executeRaw`
    INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
      "amount", "periodStart", "paymentId")
    SELECT "environment", md5("id"::text), 0, 1, "subscriptionId"::text, 'plan', "amount", "periodStart", "id" FROM "Payment"`;
  const payment = await world.db.payment.findFirstOrThrow({ where: scope });
  const signature = '5'.repeat(87);
  await world.db.chainTransfer.updateMany({ where: { paymentId: payment.id }, data: { signature } });
  await world.db.$executeRawUnsafe('ANALYZE "ChainTransfer"');
  for (const text of [PAYER, signature, payment.id, 'customer-777', 'customer-', 'nobody', 'big']) {
    expect({ text, blocks: await countBlocks(() => search(world.db, scope, text)) }).toEqual({
      text,
      blocks: expect.toSatisfy((count: number) => count < MAX_BLOCKS),
    });
  }
  expect(await search(world.db, scope, signature)).toMatchObject([{ kind: 'PAYMENT', id: payment.id }]);
});

it('the first steps of a merchant are read from a bounded number of rows', async () => {
  const ctx = { db: world.db, config: { clusters: {} } } as unknown as AppContext;
  expect(await countBlocks(() => getOnboarding(ctx, scope.merchantId))).toBeLessThan(MAX_BLOCKS);
});

it('a plan’s totals are not counted from its subscriptions', async () => {
  const plans = await world.db.plan.findMany({ where: scope });
  const ids = plans.map(({ id }) => id);
  expect(await countBlocks(() => planTotals(world.db, ids))).toBeLessThan(MAX_BLOCKS);
  const totals = await planTotals(world.db, ids);
  const small = totals.get(plans.find(({ planId }) => planId === 'small')?.id ?? '');
  expect(small).toMatchObject({ active: 450, pastDue: 50, paid: 450, failed: 50, collected: 2_250_000_000n });
});

it('subscriptions of an authority are found by an index', async () => {
  const ctx = { ...world, chain: { TEST: { environment: 'TEST' } } } as unknown as AppContext;
  const authority = { address: PAYER, slot: 1n };
  const opened = { user: PAYER, mint: PAYER, initId: 1n };
  const closed = { ...authority, user: PAYER };
  const { environment } = scope;
  expect(await countBlocks(() => applyAuthority(ctx, environment, authority, opened))).toBeLessThan(
    MAX_BLOCKS,
  );
  expect(await countBlocks(() => observeAuthorityClosed(ctx, environment, closed))).toBeLessThan(MAX_BLOCKS);
});
