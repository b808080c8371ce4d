import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import { countUnapplied } from '../domain/mirror/unapplied-updates.ts';

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
  const { environment, rpc } = chain;
  const [row, slot, unapplied] = await Promise.all([
    ctx.db.streamPosition.findUnique({ where: { environment } }),
    rpc.getSlot({ commitment: 'confirmed' }).send(),
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
