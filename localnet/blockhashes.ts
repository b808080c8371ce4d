/** A blockhash can be used in this many blocks after its own (MAX_PROCESSING_AGE). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150;

/**
 * Which blockhashes a transaction may still name, and which transactions have landed under each of them. The
 * two belong together: once a blockhash has expired nothing can land under it, so nothing need be remembered.
 */
export class BlockhashQueue {
  #heights = new Map<string, number>();
  #landed = new Map<string, Set<string>>();

  add(blockhash: string, height: number): void {
    this.#heights.set(blockhash, height);
    for (const [old, oldHeight] of this.#heights) {
      if (oldHeight + BLOCKHASH_LIFETIME_BLOCKS > height) break;
      this.#heights.delete(old);
      this.#landed.delete(old);
    }
  }

  /** Block height of the block that the hash names; undefined once it is too old to be used. */
  heightOf(blockhash: string): number | undefined {
    return this.#heights.get(blockhash);
  }

  /** True where a transaction naming the hash may land in the block at `height`. */
  isUsableAt(blockhash: string, height: number): boolean {
    const born = this.#heights.get(blockhash);
    return born !== undefined && height <= born + BLOCKHASH_LIFETIME_BLOCKS;
  }

  hasLanded(blockhash: string, signature: string): boolean {
    return this.#landed.get(blockhash)?.has(signature) ?? false;
  }

  markLanded(blockhash: string, signature: string): void {
    if (!this.#heights.has(blockhash)) return;
    const landed = this.#landed.get(blockhash);
    if (landed) landed.add(signature);
    else this.#landed.set(blockhash, new Set([signature]));
  }
}
