/** The part of a block that tells whether one before it was left out. */
export interface LinkedBlock {
  readonly slot: bigint;
  readonly parentSlot: bigint;
}

export type Link =
  /** The child of the newest block so far. */
  | { readonly kind: 'next' }
  /** It was here before: a replay, or sent twice. */
  | { readonly kind: 'known' }
  /** Blocks after `after` and up to `until` were not shown; `after` is undefined where nothing was known at all. */
  | { readonly kind: 'gap'; readonly after: bigint | undefined; readonly until: bigint };

/** Checks that each block is the child of the one before. Slots without a block are ordinary; a skipped block is not. */
export class BlockLine {
  #newest: bigint | undefined;

  /** `newest` is the block up to which everything is known already. */
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
