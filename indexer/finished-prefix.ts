/**
 * How far the chain has been worked through, while its work finishes in any order. Knows no network and no database.
 *
 * Work of a block is begun as it comes in, the block is complete when nothing of it is still to come, and the prefix is
 * the newest complete block with no unfinished work in or before it:
 *
 *   block          10    11    12    13
 *   complete       yes   yes   yes   no
 *   unfinished     -     -     1     -        the prefix is 11
 *   the work of 12 finishes                   the prefix is 12
 *   13 is complete                            the prefix is 13
 *
 * A process that starts again at the prefix does some work twice and misses none.
 */
export class FinishedPrefix {
  #slot: bigint | undefined;
  /** Complete blocks behind the prefix, in order. */
  #complete: bigint[] = [];
  /** How many pieces of work each slot still waits for. */
  #unfinished = new Map<bigint, number>();

  /** `slot` is where it was left. */
  constructor(slot?: bigint) {
    this.#slot = slot;
  }

  /** The newest block up to which everything is finished; undefined before the first. */
  get slot(): bigint | undefined {
    return this.#slot;
  }

  /** Work of this slot begins; call what it answers with when it is finished. */
  begin(slot: bigint): () => void {
    this.#unfinished.set(slot, (this.#unfinished.get(slot) ?? 0) + 1);
    return () => {
      const left = (this.#unfinished.get(slot) ?? 0) - 1;
      if (left > 0) {
        this.#unfinished.set(slot, left);
        return;
      }
      this.#unfinished.delete(slot);
      this.#advance();
    };
  }

  /** All work of the block in this slot has begun. Blocks come in order; one that comes again changes nothing. */
  complete(slot: bigint): void {
    const newest = this.#complete.at(-1) ?? this.#slot;
    if (newest !== undefined && slot <= newest) return;
    this.#complete.push(slot);
    this.#advance();
  }

  #advance(): void {
    let oldestUnfinished: bigint | undefined;
    for (const slot of this.#unfinished.keys()) {
      if (oldestUnfinished === undefined || slot < oldestUnfinished) oldestUnfinished = slot;
    }
    let [next] = this.#complete;
    while (next !== undefined && (oldestUnfinished === undefined || next < oldestUnfinished)) {
      this.#slot = next;
      this.#complete.shift();
      [next] = this.#complete;
    }
  }
}
