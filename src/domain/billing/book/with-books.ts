import type { DbTransaction } from '../../../db/db.ts';
import { inTransaction, type TransactionContext } from '../../../jobs/in-transaction.ts';
import type { Book } from './book.ts';
import { loadPayments, type PeriodKey, readBooks } from './read-books.ts';
import { writeBooks } from './write-books.ts';

/** Locked subscriptions with the payments that were named. */
export interface LockedBooks {
  readonly tx: DbTransaction;
  /** By the id of the subscription. */
  readonly books: ReadonlyMap<string, Book>;
  readonly now: Date;
}

/**
 * Applies a rule to the books of some payments, in one database transaction: locks and reads the
 * subscriptions, reads the payments, applies the rule, and writes the changes. The rule's own
 * writes in the transaction come before those of the books.
 */
export function withBooks<T>(
  ctx: TransactionContext,
  keys: readonly PeriodKey[],
  rule: (locked: LockedBooks) => T | Promise<T>,
): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    const books = await readBooks(
      tx,
      keys.map(({ subscriptionId }) => subscriptionId),
    );
    await loadPayments(tx, books, keys);
    const now = ctx.clock.now();
    const result = await rule({ tx, books, now });
    await writeBooks(tx, books.values(), now);
    return result;
  });
}
