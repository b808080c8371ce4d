import type { DbTransaction } from '../../../db/db.ts';
import type { Book } from '../book/book.ts';
import { loadPayments, type PaymentKey, readBooks } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { writeBooks } from '../book/write-books.ts';

export interface VoidAttempt extends PaymentKey {
  readonly attemptId: string;
  /** When its payment is due again. */
  readonly nextAttemptAt: Date;
}

/**
 * Voids attempts whose transactions did not land or moved nothing. Their payments are due again.
 */
export async function voidAttempts(
  tx: DbTransaction,
  attempts: readonly VoidAttempt[],
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  const books = await readBooks(
    tx,
    attempts.map(({ subscriptionId }) => subscriptionId),
  );
  await loadPayments(tx, books, attempts);
  for (const attempt of attempts) {
    const book = books.get(attempt.subscriptionId);
    if (book) voidAttempt(book, attempt, now);
  }
  await writeBooks(tx, books.values(), now);
}

function voidAttempt(book: Book, { attemptId, nextAttemptAt, ...position }: VoidAttempt, now: Date): void {
  const payment = book.payment(position);
  if (payment?.submitted?.id !== attemptId) return; // settled before
  book.endAttempt(payment, 'VOID', now);
  const { status, nextAttemptAt: next } = book.subscription;
  if (COLLECTING.includes(status) && next === null) book.set({ nextAttemptAt });
}
