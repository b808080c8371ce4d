/** The number of blocks after its own for which a blockhash is valid (MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150;

/**
 * The valid blockhashes, and the transactions that landed with each. No transaction can land with
 * an expired blockhash, so its transactions are dropped.
 */
export class BlockhashQueue {
  #heights = new Map<string, number>();
  #landed = new Map<string, Map<string, number>>();

  /** Adds a blockhash, and drops those that have expired even at the finalized height. */
  add(blockhash: string, height: number, finalizedHeight: number): void {
    this.#heights.set(blockhash, height);
    for (const [oldHash, oldHeight] of this.#heights) {
      if (finalizedHeight - oldHeight <= BLOCKHASH_LIFETIME_BLOCKS) break;
      this.#heights.delete(oldHash);
      this.#landed.delete(oldHash);
    }
  }

  /**
   * Whether a transaction with the hash may land in the block at `height`. As in Agave, the age is
   * counted up to the previous block, so the last block in which it may land is the one after
   * `lastValidBlockHeight`.
   */
  isUsableAt(blockhash: string, height: number): boolean {
    const hashHeight = this.#heights.get(blockhash);
    return (
      hashHeight !== undefined && hashHeight < height && height - 1 - hashHeight <= BLOCKHASH_LIFETIME_BLOCKS
    );
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
