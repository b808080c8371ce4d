import { connectDb } from '../src/db/db.ts';
import { startDatabase } from '../tools/world/database.ts';
import {
  type BlockLimits,
  type PullTransaction,
  pullsPerSecond,
  repeatTransactions,
} from './scale-blocks.ts';
import { type MeasuredPulls, type PullWorld, startPullWorld } from './scale-pulls.ts';
import { measureRelayRates } from './scale-relay.ts';
import { round } from './statistics.ts';

const MILLION = 1_000_000;
const SLOTS_MS = [400, 250] as const;
/** The limits in compute units: 12 million per account at first, then 40 % of a block's. */
const LIMITS = [
  { account: 12 * MILLION, block: 60 * MILLION },
  { account: 24 * MILLION, block: 60 * MILLION },
  { account: 40 * MILLION, block: 100 * MILLION },
] as const;
/** The pulls per second that were estimated earlier, for 12 and 40 million units and 400 ms. */
const EARLIER_ESTIMATES = [2_650, 8_800] as const;
const MERCHANTS = 1_000;
/** Enough collectors, so that they are not the limit. */
const COLLECTORS = 8;

/**
 * Computes the capacity of blocks: pulls are packed, simulated and signed on the local network as
 * in the worker, and a calculation fills blocks with them. Also measures how fast one process
 * relays events in several shards.
 */
export default async function benchScale(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const { url } = await startDatabase(closing);
  const db = connectDb(url);
  closing.defer(() => db.$disconnect());
  const world = await startPullWorld(closing, db);
  const [version1, version0] = [await world.measure(1), await world.measure(0)];
  const relay = await measureRelayRates(db, [1, 2, 4]);
  const rows = LIMITS.flatMap((limits) =>
    SLOTS_MS.map((slotMs) => computeRates(world, version1, version0, { ...limits, slotMs })),
  );
  console.table(rows);
  const [first, nextToLast] = [rows[0], rows.at(-2)];
  const figures = {
    program: process.env.LOCALNET_PROGRAM ? 'official' : 'own',
    units_a_pull: round(version1.unitsPerPull),
    bytes_a_pull: round(version1.bytesPerPull, 1),
    cost_a_pull: round(computeCostPerPull(world, version1)),
    units_a_pull_v0: round(version0.unitsPerPull),
    bytes_a_pull_v0: round(version0.bytesPerPull, 1),
    cost_a_pull_v0: round(computeCostPerPull(world, version0)),
    account_12m_400ms: first?.merchant,
    account_40m_400ms: nextToLast?.merchant,
    reckoned: EARLIER_ESTIMATES,
    relay_per_s: Object.fromEntries([...relay].map(([number, rate]) => [number, round(rate)])),
    rows,
  };
  console.log(JSON.stringify(figures));
}

function computeRates(
  world: PullWorld,
  version1: MeasuredPulls,
  version0: MeasuredPulls,
  limits: BlockLimits,
) {
  const rate = (transactions: readonly PullTransaction[], merchants: number, collectors: number) =>
    round(pullsPerSecond(repeatTransactions(transactions, { merchants, collectors }, world), limits));
  return {
    account_m: limits.account / MILLION,
    block_m: limits.block / MILLION,
    slot_ms: limits.slotMs,
    merchant: rate(version1.transactions, 1, COLLECTORS),
    merchant_v0: rate(version0.transactions, 1, COLLECTORS),
    collector: rate(version1.transactions, MERCHANTS, 1),
    block: rate(version1.transactions, MERCHANTS, COLLECTORS),
  };
}

/** The cost of a pull as its part of a transaction, from the number that fits in a limit. */
function computeCostPerPull(world: PullWorld, { transactions }: MeasuredPulls): number {
  const limits = { account: 400 * MILLION, block: 400 * MILLION, slotMs: 1_000 };
  return (
    limits.block /
    pullsPerSecond(repeatTransactions(transactions, { merchants: 1, collectors: 1 }, world), limits)
  );
}
