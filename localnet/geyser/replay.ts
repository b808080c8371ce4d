import type { Commitment } from '../accounts.ts';
import type {
  AccountUpdate,
  BlockMetaUpdate,
  BlockUpdate,
  EntryUpdate,
  SlotStatusUpdate,
  TransactionUpdate,
  Update,
} from './updates.ts';

export type ContentUpdate = AccountUpdate | TransactionUpdate | EntryUpdate;

/** A completed block that is sent again at later commitments and in replays. */
export interface FrozenBlock {
  readonly slot: number;
  /** In order of arrival; only the last write of each account. */
  readonly contents: readonly ContentUpdate[];
  readonly block: BlockUpdate;
  readonly meta: BlockMetaUpdate;
  /** The statuses of the commitments that it has reached, in order. */
  readonly statuses: SlotStatusUpdate[];
}

const RANK = { processed: 0, confirmed: 1, finalized: 2 } as const;

/**
 * The newest blocks, for replays. The oldest are dropped beyond `maxBlocks` blocks or `maxUpdates`
 * updates, but never before they are finalized, because live streams still need them. The limit is
 * a number of blocks, as in the real server: time travel creates no blocks, so it drops none.
 */
export class ReplayRing {
  #blocks = new Map<number, FrozenBlock>();
  #updates = 0;
  #maxBlocks: number;
  #maxUpdates: number;

  constructor(maxBlocks: number, maxUpdates: number) {
    this.#maxBlocks = maxBlocks;
    this.#maxUpdates = maxUpdates;
  }

  add(block: FrozenBlock): void {
    this.#blocks.set(block.slot, block);
    this.#updates += block.contents.length;
  }

  get(slot: number): FrozenBlock | undefined {
    return this.#blocks.get(slot);
  }

  get firstSlot(): number | undefined {
    return this.#blocks.keys().next().value;
  }

  /** Must be called when a block is finalized and was sent to all streams. */
  markFinalized(block: FrozenBlock): void {
    for (const update of updatesOf(block)) update.wire = null;
    while (this.#blocks.size > this.#maxBlocks || this.#updates > this.#maxUpdates) {
      const oldest = this.#blocks.values().next().value;
      if (!oldest || !hasReached(oldest, 'finalized')) break;
      this.#blocks.delete(oldest.slot);
      this.#updates -= oldest.contents.length;
    }
  }

  /** Blocks at or after the slot that have reached the commitment, oldest first. */
  from(slot: number, commitment: Commitment): FrozenBlock[] {
    return [...this.#blocks.values()].filter((block) => block.slot >= slot && hasReached(block, commitment));
  }
}

/** All updates of a block in a replay, in the order of the real server. */
export function updatesOf({ contents, block, meta, statuses }: FrozenBlock): Update[] {
  return [...contents, block, meta, ...statuses];
}

function hasReached({ statuses }: FrozenBlock, commitment: Commitment): boolean {
  return statuses.length > RANK[commitment];
}

/** Keeps only the last write of each account in a slot; everything else stays in place. */
export function lastWrites(contents: readonly ContentUpdate[]): ContentUpdate[] {
  const last = new Map<string, number>();
  for (const update of contents) {
    if (update.kind === 'account') last.set(update.write.address, update.write.writeVersion);
  }
  return contents.filter(
    (update) => update.kind !== 'account' || last.get(update.write.address) === update.write.writeVersion,
  );
}
