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
 * Runs a function after the commit of a transaction that `inTransaction` started. The function must
 * not reject.
 */
export function afterCommit(tx: DbTransaction, run: AfterCommit): void {
  const callbacks = callbacksByTransaction.get(tx);
  if (!callbacks) throw new Error('afterCommit needs a transaction that inTransaction started');
  callbacks.push(run);
}
