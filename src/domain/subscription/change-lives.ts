import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import { inChunks } from '../../in-chunks.ts';
import { apart } from '../payment/books/apart.ts';
import type { Book } from '../payment/books/book.ts';
import { loadDuePayments, loadPayments, openBooks } from '../payment/books/read-books.ts';
import { writeBooks } from '../payment/books/write-books.ts';
import { announceSubscriptions } from './announce-subscriptions.ts';
import { runningWindow } from './collect-again.ts';
import { lastReasons } from './last-reason.ts';
import { COLLECTING } from './status.ts';

/** So many rows are locked at a time. */
const TOGETHER = 200;

/** A subscription under its lock. */
export interface OpenLife {
  readonly book: Book;
  /** Why it is in its status; read of those only that are over. */
  readonly lastReason: string | undefined;
}

/** Notes in the book what changes; answers whether who listens has to hear of it. */
export type LifeRule = (life: OpenLife, at: Date) => boolean;

/**
 * Applies a rule to subscriptions, some at a time, each time in one database transaction, and tells who is listening. One
 * that the database refuses holds up no other. Answers with what went wrong with which.
 */
export async function changeSubscriptions(
  ctx: AppContext,
  ids: readonly string[],
  rule: LifeRule,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>();
  const changeTogether = (some: readonly string[]) =>
    ctx.db.$transaction(async (tx) =>
      changeLives(tx, [...(await openBooks(tx, some)).values()], ctx.clock.now(), rule),
    );
  for (const some of inChunks(ids, TOGETHER)) {
    const changed = await apart(some, changeTogether, (id, error) => failures.set(id, error));
    await announceSubscriptions(ctx, changed);
  }
  return failures;
}

/** The same for one. Rejects with what went wrong. */
export async function changeSubscription(ctx: AppContext, id: string, rule: LifeRule): Promise<void> {
  const failures = await changeSubscriptions(ctx, [id], rule);
  for (const error of failures.values()) throw error;
}

/**
 * Applies a rule to subscriptions that the caller has locked, and writes what it notes, in as many statements as for one.
 * Read before are what those owe that are collected from, and of the others the running period's payment and why they
 * ended. Answers with those of which the rule said so, for `announceSubscriptions` after the commit.
 */
export async function changeLives(
  tx: DbTransaction,
  books: readonly Book[],
  at: Date,
  rule: LifeRule,
): Promise<Book['subscription'][]> {
  if (books.length === 0) return [];
  const byId = new Map(books.map((book) => [book.subscription.id, book]));
  const isCollected = ({ subscription }: Book) => COLLECTING.includes(subscription.status);
  const over = books.filter((book) => !isCollected(book));
  const windows = over.map((book) => ({
    subscriptionId: book.subscription.id,
    periodStart: runningWindow(book, at).periodStart,
  }));
  const owing = books.filter(isCollected).map(({ subscription }) => subscription.id);
  await loadDuePayments(tx, byId, owing);
  await loadPayments(tx, byId, windows);
  const reasons = await lastReasons(
    tx,
    over.map(({ subscription }) => subscription.id),
  );
  const changed = books.filter((book) => rule({ book, lastReason: reasons.get(book.subscription.id) }, at));
  await writeBooks(tx, books, at);
  return changed.map(({ subscription }) => subscription);
}
