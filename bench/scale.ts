import { connectDb } from '../src/db/db.ts';
import { startBenchDatabase } from './database.ts';
import { type BlockLimits, type PullTransaction, pullsPerSecond, spreadOver } from './scale-blocks.ts';
import { type MeasuredPulls, type MeasuredWorld, startPulls } from './scale-pulls.ts';
import { relayRates } from './scale-relay.ts';
import { round } from './statistics.ts';

const MILLION = 1_000_000;
const SLOTS_MS = [400, 250] as const;
/** The limit of an account, at first and as 40 % of a block's. */
const LIMITS = [
  { account: 12 * MILLION, block: 60 * MILLION },
  { account: 24 * MILLION, block: 60 * MILLION },
  { account: 40 * MILLION, block: 100 * MILLION },
] as const;
/** The earlier assumptions: 12 and 40 million units per account, and 400 ms. */
const EARLIER_ESTIMATES = [2_650, 8_800] as const;
const MERCHANTS = 1_000;
/** Enough collectors that they are not the limit. */
const COLLECTORS = 8;

/**
 * Computes the capacity of blocks: pulls are packed, simulated and signed on the local network like
 * in the worker, and blocks are filled with them by calculation. Also measures how fast one process
 * relays events in several shards.
 */
export default async function benchScale(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const { url } = await startBenchDatabase(closing);
  const db = connectDb(url);
  closing.defer(() => db.$disconnect());
  const world = await startPulls(closing, db);
  const [newer, older] = [await world.of(1), await world.of(0)];
  const relay = await relayRates(db, [1, 2, 4]);
  const rows = LIMITS.flatMap((limits) =>
    SLOTS_MS.map((slotMs) => ratesOf(world, newer, older, { ...limits, slotMs })),
  );
  console.table(rows);
  const [first, nextToLast] = [rows[0], rows.at(-2)];
  const figures = {
    program: process.env.LOCALNET_PROGRAM ? 'official' : 'own',
    units_a_pull: round(newer.unitsAPull),
    bytes_a_pull: round(newer.bytesAPull, 1),
    cost_a_pull: round(costAPull(world, newer)),
    units_a_pull_v0: round(older.unitsAPull),
    bytes_a_pull_v0: round(older.bytesAPull, 1),
    cost_a_pull_v0: round(costAPull(world, older)),
    account_12m_400ms: first?.merchant,
    account_40m_400ms: nextToLast?.merchant,
    reckoned: EARLIER_ESTIMATES,
    relay_per_s: Object.fromEntries([...relay].map(([number, rate]) => [number, round(rate)])),
    rows,
  };
  console.log(JSON.stringify(figures));
}

function ratesOf(world: MeasuredWorld, newer: MeasuredPulls, older: MeasuredPulls, limits: BlockLimits) {
  const rate = (transactions: readonly PullTransaction[], merchants: number, collectors: number) =>
    round(pullsPerSecond(spreadOver(transactions, { merchants, collectors }, world), limits));
  return {
    account_m: limits.account / MILLION,
    block_m: limits.block / MILLION,
    slot_ms: limits.slotMs,
    merchant: rate(newer.transactions, 1, COLLECTORS),
    merchant_v0: rate(older.transactions, 1, COLLECTORS),
    collector: rate(newer.transactions, MERCHANTS, 1),
    block: rate(newer.transactions, MERCHANTS, COLLECTORS),
  };
}

/** The cost of a pull as its part of a transaction, from the number that fits in a limit. */
function costAPull(world: MeasuredWorld, { transactions }: MeasuredPulls): number {
  const limits = { account: 400 * MILLION, block: 400 * MILLION, slotMs: 1_000 };
  return (
    limits.block / pullsPerSecond(spreadOver(transactions, { merchants: 1, collectors: 1 }, world), limits)
  );
}
