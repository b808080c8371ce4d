import type { AppContext } from '../app.ts';
import type { Chain } from '../chain/chain.ts';
import { readNearSlot } from '../chain/rpc/read-slot.ts';
import { knownSlot, MAX_SLOTS_AHEAD } from '../domain/chain-state/mirror/known-slot.ts';

export interface NodeLag {
  /** Slots that the best RPC node is behind the newest known slot; 0 if it has reached it. */
  readonly slotsBehind: number;
  /**
   * The problem for an operator; present if the node is more than `MAX_SLOTS_AHEAD` slots behind.
   */
  readonly problem?: string;
}

/**
 * Reads how far the best RPC node is behind the newest known slot. If it is far behind, reads that
 * decide something fail on every node, and no failure of a payer is counted.
 */
export async function readNodeLag(ctx: Pick<AppContext, 'db'>, chain: Chain): Promise<NodeLag> {
  const known = await knownSlot(ctx, chain.environment);
  const slot = await readNearSlot(chain, known);
  const behind = known > slot ? known - slot : 0n;
  if (behind <= MAX_SLOTS_AHEAD) return { slotsBehind: Number(behind) };
  return {
    slotsBehind: Number(behind),
    problem: `the newest known slot is ${known}, and the RPC node is at ${slot}: use another node, or correct the known slot (docs/operations.md)`,
  };
}
