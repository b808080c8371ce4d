/**
 * Runs a statement that takes at most `size` rows until it takes fewer, because then none is left,
 * or `maxBatches` times. Each batch is a transaction of its own, so that no lock is held for long,
 * and an interruption loses only the batch that was running. Returns the number of rows.
 *
 * @param take takes the next rows, and returns their number
 */
export async function inBatches(
  size: number,
  take: (size: number) => Promise<number>,
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<number> {
  let all = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const taken = await take(size);
    all += taken;
    if (taken < size) break;
  }
  return all;
}
