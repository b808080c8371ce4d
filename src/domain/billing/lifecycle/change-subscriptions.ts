import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { Book } from '../book/book.ts';
import { loadDuePayments, loadPayments, readBooks } from '../book/read-books.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { COLLECTING } from '../book/status.ts';
import { writeBooks } from '../book/write-books.ts';
import { lastReasons } from '../read/last-reason.ts';
import { publishSubscriptions } from '../read/publish-subscriptions.ts';
import { runningPeriod } from '../schedule/collectable-period.ts';

/** Maximum rows locked at a time. */
const BATCH_SIZE = 200;

/** A locked subscription. */
export interface LockedSubscription {
  readonly book: Book;
  /** The reason of its status; only read if it has ended. */
  readonly lastReason: string | undefined;
}

/** Records changes in the book; returns whether to publish them. */
export type SubscriptionRule = (locked: LockedSubscription, at: Date) => boolean;

/**
 * Applies a rule to subscriptions in batches, each in one database transaction, and publishes the
 * changes. A subscription that fails does not stop the others. Returns the errors by subscription.
 */
export async function changeSubscriptions(
  ctx: AppContext,
  ids: readonly string[],
  rule: SubscriptionRule,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>();
  const changeBatch = (batch: readonly string[]) =>
    inTransaction(ctx, async (tx) =>
      changeBooks(tx, [...(await readBooks(tx, batch)).values()], ctx.clock.now(), rule),
    );
  for (const batch of inChunks(ids, BATCH_SIZE)) {
    const changed = await splitOnFailure(batch, changeBatch, (id, error) => failures.set(id, error));
    await publishSubscriptions(ctx, changed);
  }
  return failures;
}

/** Applies a rule to one subscription. Rejects with its error. */
export async function changeSubscription(ctx: AppContext, id: string, rule: SubscriptionRule): Promise<void> {
  const failures = await changeSubscriptions(ctx, [id], rule);
  for (const error of failures.values()) throw error;
}

/**
 * Applies a rule to subscriptions that the caller has locked, and writes all changes in a constant
 * number of statements. It first reads the due payment of collected subscriptions, and the current
 * period's payment and the reason of the end of others. Returns the subscriptions for
 * `publishSubscriptions` after the commit.
 */
export async function changeBooks(
  tx: DbTransaction,
  books: readonly Book[],
  at: Date,
  rule: SubscriptionRule,
): Promise<Book['subscription'][]> {
  if (books.length === 0) return [];
  const byId = new Map(books.map((book) => [book.subscription.id, book]));
  const isCollected = ({ subscription }: Book) => COLLECTING.includes(subscription.status);
  const endedBooks = books.filter((book) => !isCollected(book));
  const periods = endedBooks.map((book) => ({
    subscriptionId: book.subscription.id,
    periodStart: runningPeriod(book.subscription, at).periodStart,
  }));
  const collectedIds = books.filter(isCollected).map(({ subscription }) => subscription.id);
  await loadDuePayments(tx, byId, collectedIds);
  await loadPayments(tx, byId, periods);
  const reasons = await lastReasons(
    tx,
    endedBooks.map(({ subscription }) => subscription.id),
  );
  const changed = books.filter((book) => rule({ book, lastReason: reasons.get(book.subscription.id) }, at));
  await writeBooks(tx, books, at);
  return changed.map(({ subscription }) => subscription);
}
