import type { Db, DbTransaction } from '../db.ts';

const counts = new WeakMap<DbTransaction, (() => void)[]>();

/**
 * Runs the work in a database transaction. What it counts with `whenCommitted` is counted once that is committed: what is
 * rolled back and written again would be counted twice.
 */
export async function inCountedTransaction<T>(db: Db, work: (tx: DbTransaction) => Promise<T>): Promise<T> {
  const waiting: (() => void)[] = [];
  const result = await db.$transaction((tx) => {
    counts.set(tx, waiting);
    return work(tx);
  });
  for (const count of waiting) count();
  return result;
}

/** In a transaction that nobody counts for it is counted at once. */
export function whenCommitted(tx: DbTransaction, count: () => void): void {
  const waiting = counts.get(tx);
  if (waiting) waiting.push(count);
  else count();
}
