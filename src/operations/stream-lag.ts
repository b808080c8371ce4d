import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import { highestSlot } from '../chain/rpc/as-of.ts';
import { readNearSlot } from '../chain/rpc/read-slot.ts';
import { knownSlot } from '../domain/chain-state/mirror/known-slot.ts';
import { countUnapplied } from '../domain/chain-state/mirror/unapplied-updates.ts';

export interface StreamLag {
  /** The slot up to which all updates are applied or set aside; null before the first update. */
  readonly position: bigint | null;
  /** Slots that the mirror is behind the cluster; null before the first update. */
  readonly slotsBehind: number | null;
  /** Updates that could not be applied and wait for a retry. */
  readonly unapplied: number;
  /** What the indexer may have missed, or why it does not follow its stream; null if nothing. */
  readonly doubt: string | null;
}

/**
 * Reads how far the mirror is behind the cluster, from the position that the leading indexer
 * stored.
 */
export async function readStreamLag(ctx: Pick<AppContext, 'db'>, chain: Chain): Promise<StreamLag> {
  const { environment } = chain;
  const [row, slot, unapplied] = await Promise.all([
    ctx.db.streamPosition.findUnique({ where: { environment } }),
    readNewestSlot(ctx, chain),
    countUnapplied(ctx, environment),
  ]);
  const position = row?.slot ?? null;
  return {
    position,
    slotsBehind: position === null ? null : Math.max(0, Number(slot - position)),
    unapplied,
    doubt: row?.doubt ?? null,
  };
}

/** The newest slot that is known or that a node shows. A node that has stopped shows an old one. */
async function readNewestSlot(ctx: Pick<AppContext, 'db'>, chain: Chain): Promise<bigint> {
  const known = await knownSlot(ctx, chain.environment);
  return highestSlot([known, await readNearSlot(chain, known)]);
}
