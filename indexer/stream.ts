// One environment's stream, kept open. A connection goes through these phases:
//
//   1. Open, from the stored position. A server that refuses it (too old, ahead of the chain) says so only on the open
//      stream, and one that tells what cannot be read would tell it again: after a connection that did not get the
//      position any further, the next one begins at the live head.
//   2. First block. The child of the position's block: nothing was missed. Another: there is a gap, and while live
//      updates go on, the transactions and the snapshot are read that close it. The position is held before the gap.
//   3. Live. Each block has to be the child of the one before; a gap is closed as in 2. Servers skip without a word.
//   4. End, error or no block for too long. What was taken is finished, the position stored, the next one opened.
import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { openStream } from '../src/chain/yellowstone.ts';
import { pause } from './pause.ts';
import { StreamConnection } from './stream-connection.ts';
import { loadPosition } from './stream-position.ts';
import type { Timing } from './timing.ts';

const FIRST_BACKOFF_MS = 250;

/** Mirrors the chain by its stream until the signal. Never rejects: what breaks is told of and opened again. */
export async function followStream(
  ctx: AppContext,
  chain: Chain,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  let failures = 0;
  let fromPosition = true;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let connection: StreamConnection | undefined;
    try {
      const position = await loadPosition(ctx, environment);
      const stream = await openStream(chain.config, { fromSlot: fromPosition ? position : undefined });
      connection = new StreamConnection(ctx, chain, timing, stream, position);
      await connection.run(signal, { reconcileAnyway: isFirst });
      ctx.log.warn({ environment }, 'stream ended');
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, environment }, 'stream broken');
    }
    if (connection) fromPosition = connection.hasMoved;
    failures = connection?.hasMoved ? 0 : failures + 1;
    await pause(backoffMs(failures, timing.maxBackoffMs), signal);
  }
}

/** Doubles, half of it random: indexers that broke together do not come back together. */
function backoffMs(failures: number, maxMs: number): number {
  return Math.min(maxMs, FIRST_BACKOFF_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}
