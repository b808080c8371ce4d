import type { AppContext } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { NEAR_SLOTS, NodeBehind } from '../../src/chain/rpc/as-of.ts';
import { readSlot } from '../../src/chain/rpc/read-slot.ts';
import { knownSlot, recordSlot } from '../../src/domain/mirror/known-slot.ts';
import { repeatEvery } from '../pause.ts';
import type { Timings } from '../timings.ts';

/** Checks per `blockTimeoutMs`. */
const CHECKS_PER_TIMEOUT = 3;

/**
 * Advances the known slot while a node is ahead of everything that the indexer has seen, until the
 * signal aborts. A provider's stream and node often stop, or fall behind, together. Without a newer
 * known slot every read would accept the old state of that node, and no other node would be called.
 */
export function watchNodes(
  ctx: AppContext,
  chain: Chain,
  timings: Pick<Timings, 'blockTimeoutMs'>,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = chain;
  return repeatEvery(
    timings.blockTimeoutMs / CHECKS_PER_TIMEOUT,
    signal,
    () => advanceKnownSlot(ctx, chain),
    (err) => {
      if (!(err instanceof NodeBehind)) ctx.log.warn({ err, environment }, 'no newer node found');
    },
  );
}

/** @throws NodeBehind if no node is ahead of the known slot */
async function advanceKnownSlot(ctx: AppContext, { environment, rpc }: Chain): Promise<void> {
  const known = await knownSlot(ctx, environment);
  if (known === 0n) return;
  const newest = await readSlot({ rpc, minSlot: known + NEAR_SLOTS + 1n, slotAttempts: 1 });
  // Healthy nodes differ by some slots.
  await recordSlot(ctx, environment, newest - NEAR_SLOTS);
}
