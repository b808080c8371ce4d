/** The fields of a block that show whether a block before it is missing. */
export interface LinkedBlock {
  readonly slot: bigint;
  readonly parentSlot: bigint;
}

/** The relation of a block to the newest block before it. */
export type Link =
  /** The child of the newest block. */
  | { readonly kind: 'next' }
  /** An older block: a replay or a duplicate. */
  | { readonly kind: 'known' }
  /**
   * Blocks after `after` and up to `until` are missing; `after` is undefined if no block was known.
   */
  | { readonly kind: 'gap'; readonly after: bigint | undefined; readonly until: bigint };

/**
 * Checks that each block is the child of the previous one. Slots without a block are normal; a
 * skipped block is not.
 */
export class BlockSequence {
  #newest: bigint | undefined;

  /** `newest` is the block up to which everything is known. */
  constructor(newest?: bigint) {
    this.#newest = newest;
  }

  next({ slot, parentSlot }: LinkedBlock): Link {
    const after = this.#newest;
    if (after !== undefined && slot <= after) return { kind: 'known' };
    this.#newest = slot;
    return after === parentSlot ? { kind: 'next' } : { kind: 'gap', after, until: parentSlot };
  }
}
