import { Client } from 'pg';
import { newRelayProgress, relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { startDatabase } from '../../tools/world/database.ts';
import type { Measured } from '../lib/figures.ts';
import { round } from '../lib/statistics.ts';
import { type Cost, measureCosts } from './explain.ts';
import type { QUERIES_FIGURES } from './figures.ts';
import type { GrownSizes } from './seed.ts';
import { type GrownWorld, startGrownWorld } from './world.ts';

const LARGE: GrownSizes = { subscriptions: 1_000_000, backlog: 150_000 };
const HUNDREDTH: GrownSizes = { subscriptions: 10_000, backlog: 1_500 };
const RUNS = 5;
/** Shorter times count as this one, because they cannot be distinguished from noise. */
const NOISE_MS = 2;
const MAX_PRINTED = 8;

/**
 * Measures all queries of dues, from real requests and timers, in a database with months of billing
 * and in one of a hundredth of its size. Also measures how fast a backlog is relayed while another
 * transaction stays open.
 */
export default async function benchQueries(): Promise<Measured<typeof QUERIES_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const small = await measureSize(closing, HUNDREDTH);
  const large = await measureSize(closing, LARGE);
  const smallCosts = new Map(small.costs.map((cost) => [cost.name, cost]));
  const compared = large.costs.flatMap((cost) => {
    const first = smallCosts.get(cost.name);
    return first ? [{ ...cost, growth: growthOf(first, cost), beforeMs: first.ms }] : [];
  });
  const slowest = compared.toSorted((a, b) => b.ms - a.ms);
  const grown = compared.toSorted((a, b) => b.growth - a.growth);
  for (const [title, list] of [
    ['slowest', slowest],
    ['grown most', grown],
  ] as const) {
    console.log(title);
    console.table(
      list.slice(0, MAX_PRINTED).map(({ name, ms, beforeMs, growth, blocks, walked }) => ({
        name,
        ms: round(ms, 2),
        'ms with a hundredth': round(beforeMs, 2),
        growth: round(growth, 2),
        blocks,
        walked: walked.join(' '),
      })),
    );
  }
  const relayPerS = await measureRelay(large.world, large.url);
  return {
    worst_ms: round(slowest[0]?.ms ?? Number.NaN, 2),
    worst_growth: round(grown[0]?.growth ?? Number.NaN, 2),
    relay_per_s: round(relayPerS),
  };
}

async function measureSize(closing: AsyncDisposableStack, sizes: GrownSizes) {
  const { url } = await startDatabase(closing);
  const since = performance.now();
  const world = await startGrownWorld(closing, url, sizes);
  const seconds = round((performance.now() - since) / 1000);
  console.log(`${sizes.subscriptions} subscriptions filled in ${seconds} s`);
  const costs = await measureCosts(url, await world.statements(), RUNS);
  console.log(`${costs.length} statements explained, ${RUNS} times each`);
  return { url, world, costs };
}

function growthOf(small: Cost, large: Cost): number {
  return Math.max(large.ms, NOISE_MS) / Math.max(small.ms, NOISE_MS);
}

/**
 * The relayed events per second, while an older open transaction prevents the cleanup of deleted
 * rows.
 */
async function measureRelay({ ctx }: GrownWorld, databaseUrl: string): Promise<number> {
  const openTransaction = new Client({ connectionString: databaseUrl });
  await openTransaction.connect();
  try {
    await openTransaction.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await openTransaction.query('SELECT FROM "Outbox" LIMIT 1');
    const waiting = await ctx.db.outbox.count();
    const since = performance.now();
    await relayEvents(ctx, newRelayProgress());
    const seconds = (performance.now() - since) / 1000;
    console.log(`${waiting} events relayed in ${round(seconds, 1)} s beside an open transaction`);
    return waiting / seconds;
  } finally {
    await openTransaction.end();
  }
}
