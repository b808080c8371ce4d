import { median, round } from '../lib/statistics.ts';
import { measureBacklogs, measureLive, measureOneByOne, measurePaced, measureSnapshots } from './measures.ts';
import { startStreamWorld } from './world.ts';

const TARGETS = { updates: 5_000, p99: 250, backlog: 30, snapshot: 20, live: 100 };

const SUBSCRIPTIONS = 100_000;
const BACKLOG = 100_000;
/** Duration of a round at a fixed rate. */
const PACED_SECONDS = 15;
const LIVE_SECONDS = 10;
/** Rounds per figure, of which the median counts. */
const ROUNDS = 3;
const UPDATES_PER_SECOND = 5_000;
const LIVE_PER_SECOND = 200;

export interface StreamFigures {
  /** Applied account updates per second, at 5,000 offered per second. */
  readonly updates_per_s: number;
  /** Milliseconds from the network's write of an account to the commit of its row. */
  readonly update_p99_ms: number;
  /** Seconds from the indexer's start until 100,000 earlier updates are applied. */
  readonly backlog_s: number;
  /**
   * Seconds from the indexer's start until an empty mirror has 100,000 subscriptions. The indexer
   * also reads their authorities, which are not mirrored.
   */
  readonly snapshot_s: number;
  /** Milliseconds from the network's write until a subscriber has the status, at 200 per second. */
  readonly live_p99_ms: number;
  /** Growth of the indexer's resident memory, from the first to the last counted round. */
  readonly memory_growth_mb: number;
  /**
   * Rows per second on one connection with a statement per row, to compare with batches.
   */
  readonly one_by_one_per_s: number;
}

/**
 * `npm run bench -- stream`: measures how fast the indexer mirrors 100,000 subscriptions, and
 * compares it with one statement per row.
 */
export default async function benchStream(): Promise<void> {
  const figures = await measureStream();
  console.table(streamTable(figures));
  console.log(JSON.stringify(figures));
  if (!isWithinTargets(figures)) process.exitCode = 1;
}

/**
 * Starts a database, a network and roles as processes, and stops them at the end. Prints a line per
 * round. Another bench adds the figures to its own: `{ ...figures, ...(await measureStream()) }`,
 * with `streamTable` for its table and `isWithinTargets` for the result.
 */
export async function measureStream(): Promise<StreamFigures> {
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

/** The rows of `console.table`. */
export function streamTable(figures: StreamFigures) {
  return {
    [`account updates applied per second, of ${UPDATES_PER_SECOND} offered`]: {
      figure: figures.updates_per_s,
      target: `>= ${TARGETS.updates}`,
    },
    'update to row, p99 in ms': { figure: figures.update_p99_ms, target: `< ${TARGETS.p99}` },
    'backlog of 100,000 updates, s': { figure: figures.backlog_s, target: `< ${TARGETS.backlog}` },
    'snapshot of 100,000 subscriptions, s': { figure: figures.snapshot_s, target: `< ${TARGETS.snapshot}` },
    [`chain to live subscriber at ${LIVE_PER_SECOND} per second, p99 in ms`]: {
      figure: figures.live_p99_ms,
      target: `< ${TARGETS.live}`,
    },
    'growth in MB while updates arrived': { figure: figures.memory_growth_mb, target: 'flat' },
    'compared with: one statement per row': { figure: figures.one_by_one_per_s, target: '' },
  };
}

/** Whether all figures are within their bounds. */
export function isWithinTargets(figures: StreamFigures): boolean {
  return (
    // The offered rate is the maximum. One burst more or less is an inaccuracy of the clock.
    figures.updates_per_s >= TARGETS.updates * 0.98 &&
    figures.update_p99_ms < TARGETS.p99 &&
    figures.backlog_s < TARGETS.backlog &&
    figures.snapshot_s < TARGETS.snapshot &&
    figures.live_p99_ms < TARGETS.live
  );
}
