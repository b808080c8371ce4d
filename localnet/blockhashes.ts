/** The number of blocks after its own for which a blockhash is valid (MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150;

/**
 * The valid blockhashes, and the transactions that landed with each. After a blockhash has expired
 * nothing can land with it, so its transactions can be dropped.
 */
export class BlockhashQueue {
  #heights = new Map<string, number>();
  #landed = new Map<string, Map<string, number>>();

  /** Drops blockhashes that have expired at `finalized` too. */
  add(blockhash: string, height: number, finalizedHeight: number): void {
    this.#heights.set(blockhash, height);
    for (const [old, oldHeight] of this.#heights) {
      if (finalizedHeight - oldHeight <= BLOCKHASH_LIFETIME_BLOCKS) break;
      this.#heights.delete(old);
      this.#landed.delete(old);
    }
  }

  /**
   * Whether a transaction with the hash may land in the block at `height`. As in Agave the age is
   * taken at the previous block, so the last such block is the one after `lastValidBlockHeight`.
   */
  isUsableAt(blockhash: string, height: number): boolean {
    const born = this.#heights.get(blockhash);
    return born !== undefined && born < height && height - 1 - born <= BLOCKHASH_LIFETIME_BLOCKS;
  }

  /**
   * The slot in which the transaction landed; undefined if it has not, or its blockhash was
   * dropped.
   */
  landedAt(blockhash: string, signature: string): number | undefined {
    return this.#landed.get(blockhash)?.get(signature);
  }

  markLanded(blockhash: string, signature: string, slot: number): void {
    if (!this.#heights.has(blockhash)) return;
    const landed = this.#landed.get(blockhash);
    if (landed) landed.set(signature, slot);
    else this.#landed.set(blockhash, new Map([[signature, slot]]));
  }
}
