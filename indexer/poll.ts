import type { AppContext } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { backfillTransactions } from './backfill.ts';
import { Mirror } from './mirror.ts';
import { pause } from './pause.ts';
import { retryUnapplied } from './retry-unapplied.ts';
import { applySnapshot } from './snapshot.ts';
import { loadPosition, savePosition } from './stream-position.ts';
import type { Timing } from './timing.ts';
import { TopUps } from './top-ups.ts';

/**
 * Mirrors the chain by asking for it again and again, until the signal: for development and small merchants, whose RPC
 * provider has no stream. Everything is seen, only later and at the price of more reading. Never rejects.
 */
export async function followByPolling(
  ctx: AppContext,
  chain: Chain,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  ctx.log.warn({ environment }, 'no Yellowstone URL is set: the indexer polls the RPC instead');
  while (!signal.aborted) {
    try {
      await pollWithOneMirror(ctx, chain, timing, signal);
    } catch (err) {
      if (!signal.aborted) ctx.log.warn({ err, environment }, 'polling failed');
    }
    await pause(timing.pollMs, signal);
  }
}

/** Polls until something fails, or the signal. */
async function pollWithOneMirror(
  ctx: AppContext,
  chain: Chain,
  timing: Timing,
  signal: AbortSignal,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  const onFailure = (error: unknown) => {
    failure ??= { error };
  };
  const start = await loadPosition(ctx, chain.environment);
  const mirror = new Mirror(ctx, chain, { position: start, onFailure });
  const topUps = new TopUps(mirror, { mostStreamed: 0 });
  signal.addEventListener('abort', () => mirror.stop(), { once: true });
  const slow = new Schedule(timing.reconcileMs);
  const unapplied = new Schedule(timing.retryUnappliedMs);
  let since = start;
  while (!signal.aborted) {
    const slot = await chain.rpc.getSlot({ commitment: 'confirmed' }).send();
    const newest = await backfillTransactions(mirror, since ?? slot);
    // No account of the program changes without a transaction that names the program.
    const isSlowTurn = slow.isDue();
    if (newest !== undefined || isSlowTurn) {
      await applySnapshot(mirror, newest !== undefined && newest > slot ? newest : slot);
    }
    await topUps.refresh();
    await topUps.look();
    if (isSlowTurn) await retryUnapplied(mirror, 'all');
    else if (unapplied.isDue()) await retryUnapplied(mirror, 'recent');
    await mirror.finished();
    if (failure) throw failure.error;
    mirror.completeBlock(slot);
    await savePosition(ctx, chain.environment, slot, { heard: slot, doubt: null });
    since = slot;
    await pause(timing.pollMs, signal);
  }
}

/** Due at first, and then again when its time has passed. */
class Schedule {
  #everyMs: number;
  #dueAt = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  isDue(): boolean {
    const now = performance.now();
    if (now < this.#dueAt) return false;
    this.#dueAt = now + this.#everyMs;
    return true;
  }
}
