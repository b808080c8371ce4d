import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { holdLeadership } from './leadership.ts';
import { followByPolling } from './poll.ts';
import { followStream } from './stream.ts';
import { DEFAULT_TIMING, type Timing } from './timing.ts';

export interface RunningIndexer {
  /** Finishes what it has in hand, stores the position, gives up the lead. */
  close(): Promise<void>;
}

/**
 * Mirrors the chains of the environments (default: all that are configured) into the database. Any number of these may
 * run: for each environment one leads, the others wait to take over.
 */
export async function startIndexer(
  ctx: AppContext,
  environments: readonly Environment[] = Object.keys(ctx.chain) as Environment[],
  timing: Partial<Timing> = {},
): Promise<RunningIndexer> {
  const times = { ...DEFAULT_TIMING, ...timing };
  const closing = new AbortController();
  const running = environments.map((environment) => {
    const chain = ctx.chain[environment];
    if (!chain) throw new Error(`There is no chain for the environment ${environment}`);
    const options = {
      databaseUrl: ctx.config.databaseUrl,
      environment,
      checkMs: times.leaderCheckMs,
      log: ctx.log,
    };
    return holdLeadership(options, closing.signal, (signal) => mirrorChain(ctx, chain, times, signal));
  });
  return {
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

function mirrorChain(ctx: AppContext, chain: Chain, timing: Timing, signal: AbortSignal): Promise<void> {
  const follow = chain.config.yellowstoneUrl ? followStream : followByPolling;
  return follow(ctx, chain, timing, signal);
}
