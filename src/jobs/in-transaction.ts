import type { Clock } from '../clock.ts';
import type { Db, DbTransaction } from '../db/db.ts';
import type { Logger } from '../observability/log.ts';
import type { Jobs } from './jobs.ts';

/** The part of the context that work after a commit may use. */
export interface TransactionContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
}

type AfterCommit = (ctx: TransactionContext) => void | Promise<void>;

const callbacksByTransaction = new WeakMap<DbTransaction, AfterCommit[]>();

/**
 * Runs the work in a database transaction and, after its commit, the functions that were passed to
 * `afterCommit`. After a rollback, none of them runs.
 */
export async function inTransaction<T>(
  ctx: TransactionContext,
  work: (tx: DbTransaction) => Promise<T>,
): Promise<T> {
  const callbacks: AfterCommit[] = [];
  const result = await ctx.db.$transaction((tx) => {
    callbacksByTransaction.set(tx, callbacks);
    return work(tx);
  });
  await Promise.all(callbacks.map((callback) => callback(ctx)));
  return result;
}

/**
 * Runs a function after the commit. The function must not reject. In a transaction that
 * `inTransaction` did not start, the function is ignored, and the result is false.
 */
export function afterCommit(tx: DbTransaction, run: AfterCommit): boolean {
  const callbacks = callbacksByTransaction.get(tx);
  callbacks?.push(run);
  return callbacks !== undefined;
}

/**
 * Calls `count` after the commit, because a change that is rolled back and written again would be
 * counted twice. In a transaction that `inTransaction` did not start, calls it at once.
 */
export function whenCommitted(tx: DbTransaction, count: () => void): void {
  if (!afterCommit(tx, count)) count();
}
