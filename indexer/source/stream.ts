// Keeps one environment's stream open. A connection has these phases:
//
// 1. Open, from the stored position. A server reports only on the open stream that it refuses the
//    position (too old, or ahead of the chain), and it would send an unreadable update again. After
//    a connection without progress the next one therefore begins at the head.
// 2. First block. If it is the child of the position's block, nothing was missed. Otherwise there
//    is a gap: live updates continue while the missing transactions and accounts are read, and the
//    position is held before the gap.
// 3. Live. Each block must be the child of the previous one; a gap is closed as in 2. Servers skip
//    blocks silently.
// 4. End, error, or no block for too long. Running work is finished, the position stored and the
//    next connection opened.
import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { openStream } from '../../src/chain/rpc/yellowstone.ts';
import { pause } from '../pause.ts';
import { scheduleSearches } from '../repair/search-missed-transactions.ts';
import { Schedule } from '../schedule.ts';
import { loadPosition } from '../stream-position.ts';
import type { Timings } from '../timings.ts';
import { StreamConnection } from './stream-connection.ts';

const FIRST_BACKOFF_MS = 250;

/**
 * Mirrors the chain from its stream until the signal aborts. Never rejects: failures are logged,
 * and the stream is reopened.
 */
export async function followStream(
  ctx: AppContext,
  chain: Chain,
  timings: Timings,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  const { repairMs, maxBackoffMs } = timings;
  let searches: Schedule | undefined;
  let rounds: Schedule | undefined;
  // A new leader reads what the previous one may have missed.
  let catchUpAnyway = true;
  let failures = 0;
  let fromPosition = true;
  while (!signal.aborted) {
    let connection: StreamConnection | undefined;
    try {
      const position = await loadPosition(ctx, environment);
      // If nothing was ever mirrored, the first block is a gap, and closing it compares everything.
      rounds ??= new Schedule(repairMs, { firstInMs: position === undefined ? repairMs : 0 });
      searches ??= await scheduleSearches(ctx, environment, position, repairMs);
      const stream = await openStream(chain.config, { fromSlot: fromPosition ? position : undefined });
      const continued = { position, catchUpAnyway, rounds, searches };
      connection = new StreamConnection(ctx, chain, timings, stream, continued);
      await connection.run(signal);
      if (!signal.aborted) ctx.log.warn({ environment }, 'stream ended');
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, environment }, 'stream broken');
    }
    if (connection) fromPosition = connection.hasMoved;
    // The position moves only after the updates before it are read.
    if (connection?.hasMoved) catchUpAnyway = false;
    failures = connection?.hasMoved ? 0 : failures + 1;
    await pause(backoffMs(failures, maxBackoffMs), signal);
  }
}

/** Doubles with each failure, with jitter so that indexers do not all reconnect at once. */
function backoffMs(failures: number, maxMs: number): number {
  return Math.min(maxMs, FIRST_BACKOFF_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}
