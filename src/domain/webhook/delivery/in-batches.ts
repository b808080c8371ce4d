/** As many deliveries as one transaction writes, so that nobody waits long for the lines of an endpoint. */
export const LINES_BATCH = 2000;

/** Cuts a list into pieces of at most `LINES_BATCH`. */
export function inBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / LINES_BATCH) }, (_, index) =>
    all.slice(index * LINES_BATCH, (index + 1) * LINES_BATCH),
  );
}
