import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Cost, measureCosts } from '../../bench/queries/explain.ts';
import { type GrownWorld, startGrownWorld } from '../../bench/queries/world.ts';
import { shortWallets } from '../../src/domain/insight/forecast/short-wallets.ts';
import { endpointStats } from '../../src/domain/messages/webhook/endpoint-stats.ts';
import { cloneDatabase } from '../support/postgres.ts';

/** Enough rows that a scan costs more than an index, also in PostgreSQL's estimate. */
const SUBSCRIPTIONS = 20_000;
/** Tables with a row for each subscription, payment, event or delivery. */
const GROWING = [
  ...[
    'Attempt',
    'ChainAccount',
    'ChainTransfer',
    'CheckoutSession',
    'Customer',
    'Delivery',
    'DeliveryAttempt',
  ],
  ...['AuditEntry', 'Member', 'MemberSession', 'RateWindow', 'SignInNonce', 'UnappliedUpdate'],
  ...['Event', 'Payment', 'Subscription', 'SubscriptionTransition', 'TransferTransaction'],
];
/**
 * Maximum database pages per statement: some rows and their index pages. The settlement of a full batch writes
 * every index of its subscriptions: 3,087 pages.
 */
const MAX_BLOCKS = 3_500;
/**
 * Maximum rows that a statement may filter out: a filter without an index reads a share of the
 * table.
 */
const MAX_DISCARDED = 500;
/** A query that reads a thousand accounts at a time, for which a scan of a small table is best. */
const SCANNING_QUERY = 'accounts expected';

const closing = new AsyncDisposableStack();
let costs: Cost[];
let world: GrownWorld;

beforeAll(async () => {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  world = await startGrownWorld(closing, database.url, {
    subscriptions: SUBSCRIPTIONS,
    backlog: 1_000,
  });
  costs = await measureCosts(database.url, await world.statements(), 1);
  costs = costs.filter(({ name }) => !name.startsWith(SCANNING_QUERY));
});
afterAll(() => closing.disposeAsync());

it('no frequent query scans a growing table', () => {
  const scanning = costs.filter(({ walked }) => walked.some((table) => GROWING.includes(table)));
  expect(scanning.map(({ name, walked, text }) => ({ name, walked, text }))).toEqual([]);
});

it('no frequent query reads more than a few pages', () => {
  const costly = costs.filter(({ blocks }) => blocks > MAX_BLOCKS);
  expect(costly.map(({ name, blocks, text }) => ({ name, blocks, text }))).toEqual([]);
});

it('no frequent query reads many rows in vain', () => {
  const wasteful = costs.filter(({ discarded }) => discarded > MAX_DISCARDED);
  expect(wasteful.map(({ name, discarded, text }) => ({ name, discarded, text }))).toEqual([]);
});

it('statistics read the newest 10,000 deliveries, a forecast 500 wallets', async () => {
  const { ctx, grown } = world;
  const now = new Date();
  const { delivered, failed } = await endpointStats(ctx.db, { id: grown.endpointId }, 168, now);
  const pending = await ctx.db.delivery.count({ where: { status: 'PENDING' } });
  expect(delivered + failed + pending).toBe(10_000);

  const range = { now, end: new Date(now.getTime() + 2 * 24 * 3_600_000) };
  const chain = { TEST: { config: {}, publicRpc: {} } } as never;
  // There is no cluster from which the wallets could be read.
  const refuse = (count: number) => Promise.reject(new Error(`${count} wallets`));
  await expect(shortWallets({ ...ctx, chain }, grown.scope, range, refuse)).rejects.toThrow('500 wallets');
});
