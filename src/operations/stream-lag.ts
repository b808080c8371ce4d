import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';

export interface StreamLag {
  /** The newest slot that all has been applied up to, or set aside; null before the first. */
  readonly position: bigint | null;
  /** How many slots the cluster is ahead of it; null before the first. */
  readonly slotsBehind: number | null;
  /** What could not be applied and waits to be tried again. */
  readonly unapplied: number;
}

/** How far the mirror is behind the cluster, by the position that whoever leads has stored. */
export async function readStreamLag({ db }: Pick<AppContext, 'db'>, chain: Chain): Promise<StreamLag> {
  const { environment, rpc } = chain;
  const [row, slot, unapplied] = await Promise.all([
    db.streamPosition.findUnique({ where: { environment } }),
    rpc.getSlot({ commitment: 'confirmed' }).send(),
    db.unappliedUpdate.count({ where: { environment, resolvedAt: null } }),
  ]);
  const position = row?.slot ?? null;
  return {
    position,
    slotsBehind: position === null ? null : Math.max(0, Number(slot - position)),
    unapplied,
  };
}
