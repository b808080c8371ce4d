import type { DbTransaction } from '../../db.ts';
import { COLLECTING } from '../subscription/status.ts';
import type { Book } from './books/book.ts';
import { loadPayments, openBooks, type PaymentKey } from './books/read-books.ts';
import { writeBooks } from './books/write-books.ts';

export interface VoidAttempt extends PaymentKey {
  readonly attemptId: string;
  /** When its payment is tried again. */
  readonly nextAttemptAt: Date;
}

/** These attempts came to nothing and say nothing about the payers: their payments are due again. */
export async function voidAttempts(
  tx: DbTransaction,
  attempts: readonly VoidAttempt[],
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  const books = await openBooks(
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

function voidAttempt(book: Book, { periodStart, attemptId, nextAttemptAt }: VoidAttempt, now: Date): void {
  const payment = book.payment(periodStart);
  if (payment?.submitted?.id !== attemptId) return; // booked already
  book.endAttempt(payment, 'VOID', now);
  const { status, nextAttemptAt: next } = book.subscription;
  if (COLLECTING.includes(status) && next === null) book.set({ nextAttemptAt });
}
