import type { Measured } from '../lib/figures.ts';
import { median, round } from '../lib/statistics.ts';
import type { STREAM_FIGURES } from './figures.ts';
import { measureBacklogs, measureLive, measureOneByOne, measurePaced, measureSnapshots } from './measures.ts';
import { startStreamWorld } from './world.ts';

const SUBSCRIPTIONS = 100_000;
const BACKLOG = 100_000;
/** Duration of a round at a fixed rate. */
const PACED_SECONDS = 15;
const LIVE_SECONDS = 10;
/** Rounds per figure, of which the median counts. */
const ROUNDS = 3;
const UPDATES_PER_SECOND = 5_000;
const LIVE_PER_SECOND = 200;

/**
 * Measures how fast the indexer mirrors 100,000 subscriptions, and compares it with one statement per
 * row. The database, the network and the roles are processes. Prints a line per round.
 */
export default async function benchStream(): Promise<Measured<typeof STREAM_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const world = await startStreamWorld(closing, SUBSCRIPTIONS);
  console.log(`${SUBSCRIPTIONS} subscriptions are on chain and in the books`);
  const snapshots = await measureSnapshots(world, ROUNDS);
  const paced = await measurePaced(world, {
    perSecond: UPDATES_PER_SECOND,
    seconds: PACED_SECONDS,
    rounds: ROUNDS,
  });
  const backlogs = await measureBacklogs(world, BACKLOG, ROUNDS);
  const live = await measureLive(world, {
    perSecond: LIVE_PER_SECOND,
    seconds: LIVE_SECONDS,
    rounds: ROUNDS,
  });
  return {
    updates_per_s: round(median(paced.map(({ perSecond }) => perSecond))),
    update_p99_ms: round(median(paced.map(({ p99Ms }) => p99Ms))),
    backlog_s: round(median(backlogs), 1),
    snapshot_s: round(median(snapshots), 1),
    live_p99_ms: round(median(live), 1),
    memory_growth_mb: round((paced.at(-1)?.megabytes ?? 0) - (paced[0]?.megabytes ?? 0), 1),
    one_by_one_per_s: round(await measureOneByOne(world)),
  };
}
