import type { DbTransaction } from '../../../db/db.ts';
import { loadPayments, readUnlocked } from '../book/read-books.ts';
import { type Ahead, aheadOf, periodsToRead } from './ahead-of.ts';

/** Reads what is ahead of subscriptions, in two statements. */
export async function readAhead(
  db: Pick<DbTransaction, '$queryRaw'>,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Ahead>> {
  const books = await readUnlocked(db, ids);
  const keys = [...books.values()].flatMap((book) =>
    periodsToRead(book, now).map((periodStart) => ({ subscriptionId: book.subscription.id, periodStart })),
  );
  await loadPayments(db, books, keys);
  return new Map([...books].map(([id, book]) => [id, aheadOf(book, now)]));
}
