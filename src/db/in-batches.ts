/**
 * Runs a statement that takes at most `size` rows until it takes fewer, because then none is left.
 * Each batch is a transaction of its own, so that no lock is held for long, and an interruption
 * loses only the batch that was running.
 *
 * @param take takes the next rows, and returns their number
 */
export async function inBatches(size: number, take: (size: number) => Promise<number>): Promise<void> {
  let taken: number;
  do {
    taken = await take(size);
  } while (taken >= size);
}
