/** How many blocks after its own a blockhash can still be seen from (MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150;

/**
 * Which blockhashes a transaction may still name, and which transactions have landed under each of them. The
 * two belong together: once a blockhash has expired nothing can land under it, so nothing need be remembered.
 */
export class BlockhashQueue {
  #heights = new Map<string, number>();
  #landed = new Map<string, Map<string, number>>();

  /** Forgets those that have expired at finality too, which is the last to see it. */
  add(blockhash: string, height: number, finalizedHeight: number): void {
    this.#heights.set(blockhash, height);
    for (const [old, oldHeight] of this.#heights) {
      if (finalizedHeight - oldHeight <= BLOCKHASH_LIFETIME_BLOCKS) break;
      this.#heights.delete(old);
      this.#landed.delete(old);
    }
  }

  /**
   * True where a transaction naming the hash may land in the block at `height`. As in Agave the age is taken at the
   * block before, so the last such block is the one after `lastValidBlockHeight`.
   */
  isUsableAt(blockhash: string, height: number): boolean {
    const born = this.#heights.get(blockhash);
    return born !== undefined && born < height && height - 1 - born <= BLOCKHASH_LIFETIME_BLOCKS;
  }

  /** The slot in which the transaction landed; undefined where it has not, or its blockhash is forgotten. */
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
