import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { shortenRunningWaits } from '../src/db/db.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { pause } from './pause.ts';
import { fenceDb } from './source/fence-db.ts';
import { holdLeadership } from './source/leadership.ts';
import { followByPolling } from './source/poll.ts';
import { followStream } from './source/stream.ts';
import { watchNodes } from './source/watch-nodes.ts';
import { DEFAULT_TIMINGS, type Timings } from './timings.ts';

export interface RunningIndexer {
  /** Finishes its current work, stores the position and releases the leadership. */
  close(): Promise<void>;
}

/**
 * Mirrors the chains of the environments (default: all configured) into the database. Any number of
 * indexers may run: one is active for each environment, and the others wait to replace it.
 */
export async function startIndexer(
  ctx: AppContext,
  environments: readonly Environment[] = [
    ...(Object.keys(ctx.chain) as Environment[]),
    ...(ctx.away?.keys() ?? []),
  ],
  timings: Partial<Timings> = {},
): Promise<RunningIndexer> {
  const times = { ...DEFAULT_TIMINGS, ...timings };
  const closing = new AbortController();
  const running = environments.map((environment) => {
    if (!ctx.chain[environment] && !ctx.away?.has(environment)) {
      throw new Error(`No chain is configured for the environment ${environment}`);
    }
    const options = {
      databaseUrl: ctx.config.directDatabaseUrl ?? ctx.config.databaseUrl,
      environment,
      checkMs: times.leaderCheckMs,
      lastWorkMs: times.lastWorkMs,
      onNoAnswer: () => shortenRunningWaits(ctx.db),
      log: ctx.log,
    };
    return followWhenReachable(ctx, environment, times, closing.signal, (chain) =>
      holdLeadership(options, closing.signal, (signal, term) => {
        const db = fenceDb(ctx.db, () => term.assertHeld());
        return mirrorChain({ ...ctx, db, epoch: term.epoch }, chain, times, signal);
      }),
    );
  });
  return {
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/**
 * Follows a cluster once it is reachable: a process that cannot reach a cluster does not compete
 * for its leadership.
 */
async function followWhenReachable(
  ctx: AppContext,
  environment: Environment,
  { leaderCheckMs }: Timings,
  signal: AbortSignal,
  follow: (chain: Chain) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const chain = ctx.chain[environment];
    if (chain) return follow(chain);
    await pause(leaderCheckMs, signal);
  }
}

async function mirrorChain(
  ctx: AppContext,
  chain: Chain,
  timings: Timings,
  signal: AbortSignal,
): Promise<void> {
  const follow = chain.config.yellowstoneUrl ? followStream : followByPolling;
  await Promise.all([follow(ctx, chain, timings, signal), watchNodes(ctx, chain, timings, signal)]);
}
