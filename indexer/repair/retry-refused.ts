import { readSlot } from '../../src/chain/rpc/read-slot.ts';
import { upToDate } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { countUnapplied, MAX_UNAPPLIED } from '../../src/domain/chain-state/mirror/unapplied-updates.ts';
import type { Mirror } from '../apply/mirror.ts';
import { catchUp } from './catch-up.ts';

/** Maximum pause after an attempt in which an update was refused again. */
const MAX_PAUSE_MS = 10 * 60_000;

/**
 * Returns a function that must be called regularly. Once fewer updates than the maximum are set
 * aside, it reads all updates since the oldest refused one, like a gap, and the position moves
 * again. If an update is refused again, the pause before the next attempt doubles.
 */
export function createRefusedRetry(mirror: Mirror, firstPauseMs: number): () => Promise<void> {
  const { ctx, chain, environment } = mirror;
  let pauseMs = firstPauseMs;
  let notBefore = 0;
  return async () => {
    if (!mirror.hasRefused) {
      pauseMs = firstPauseMs;
      return;
    }
    if (performance.now() < notBefore || (await countUnapplied(ctx, environment)) >= MAX_UNAPPLIED) return;
    const refused = mirror.takeRefused();
    if (!refused) return;
    const { slot, release } = refused;
    ctx.log.warn({ environment, since: `${slot}` }, 'reading refused updates again');
    try {
      const until = await readSlot(await upToDate(ctx, chain));
      await catchUp(mirror, { since: slot, minSlot: until });
      await mirror.waitUntilFinished();
    } catch (error) {
      mirror.refuse(slot);
      throw error;
    } finally {
      release();
      notBefore = performance.now() + pauseMs;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  };
}
