/**
 * Maximum deliveries written in one transaction, so that an endpoint's lines are not locked for
 * long.
 */
export const LINES_BATCH = 2000;

/** Splits a list into batches of at most `LINES_BATCH`. */
export function inBatches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / LINES_BATCH) }, (_, index) =>
    items.slice(index * LINES_BATCH, (index + 1) * LINES_BATCH),
  );
}
