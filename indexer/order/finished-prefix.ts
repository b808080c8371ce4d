/** A complete block. */
export interface CompleteBlock {
  readonly slot: bigint;
  /** The chain's time in it, in unix seconds; undefined if it is not known. */
  readonly time?: bigint | undefined;
}

/**
 * The position up to which the chain was processed, while work finishes in any order. This class
 * uses no network and no database.
 *
 * Work of a block begins as it arrives. A block is complete when all its work has begun. The prefix
 * is the newest complete block with no unfinished work in or before it:
 *
 *   block          10    11    12    13
 *   complete       yes   yes   yes   no
 *   unfinished     -     -     1     -        the prefix is 11
 *   the work of 12 finishes                   the prefix is 12
 *   13 is complete                            the prefix is 13
 *
 * A process that restarts at the prefix repeats some work and misses none.
 */
export class FinishedPrefix {
  #slot: bigint | undefined;
  #time: bigint | undefined;
  /** Complete blocks after the prefix, in order. */
  #complete: CompleteBlock[] = [];
  /** The number of unfinished pieces of work per slot. */
  #unfinished = new Map<bigint, number>();

  /** `slot` is the stored position. */
  constructor(slot?: bigint) {
    this.#slot = slot;
  }

  /** The newest block up to which everything is finished; undefined before the first. */
  get slot(): bigint | undefined {
    return this.#slot;
  }

  /**
   * The chain's time in that block or in one before it, in unix seconds; undefined before a block
   * with a time.
   */
  get time(): bigint | undefined {
    return this.#time;
  }

  /** Begins a piece of work in this slot; the returned function ends it. */
  begin(slot: bigint): () => void {
    this.#unfinished.set(slot, (this.#unfinished.get(slot) ?? 0) + 1);
    return () => {
      const remaining = (this.#unfinished.get(slot) ?? 0) - 1;
      if (remaining > 0) {
        this.#unfinished.set(slot, remaining);
        return;
      }
      this.#unfinished.delete(slot);
      this.#advance();
    };
  }

  /**
   * Records that all work of the block has begun. Blocks come in order; a repeated block changes
   * nothing.
   */
  complete(block: CompleteBlock): void {
    const newest = this.#complete.at(-1)?.slot ?? this.#slot;
    if (newest !== undefined && block.slot <= newest) return;
    this.#complete.push(block);
    this.#advance();
  }

  #advance(): void {
    let oldestUnfinished: bigint | undefined;
    for (const slot of this.#unfinished.keys()) {
      if (oldestUnfinished === undefined || slot < oldestUnfinished) oldestUnfinished = slot;
    }
    const before = oldestUnfinished;
    const waiting = before === undefined ? -1 : this.#complete.findIndex(({ slot }) => slot >= before);
    // One call removes all, because a position that was held for days is followed by many blocks.
    const passed = this.#complete.splice(0, waiting === -1 ? this.#complete.length : waiting);
    this.#slot = passed.at(-1)?.slot ?? this.#slot;
    this.#time = passed.findLast(({ time }) => time !== undefined)?.time ?? this.#time;
  }
}
