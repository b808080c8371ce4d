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

const waiting = new WeakMap<DbTransaction, AfterCommit[]>();

/**
 * Runs the work in a database transaction and, after its commit, everything that it passed to
 * `afterCommit`. Nothing of that runs after a rollback.
 */
export async function inTransaction<T>(
  ctx: TransactionContext,
  work: (tx: DbTransaction) => Promise<T>,
): Promise<T> {
  const afterwards: AfterCommit[] = [];
  const result = await ctx.db.$transaction((tx) => {
    waiting.set(tx, afterwards);
    return work(tx);
  });
  await Promise.all(afterwards.map((each) => each(ctx)));
  return result;
}

/**
 * Runs a function after the commit. It must not reject. Returns false, and drops the function, in a
 * transaction that `inTransaction` did not start.
 */
export function afterCommit(tx: DbTransaction, run: AfterCommit): boolean {
  const others = waiting.get(tx);
  others?.push(run);
  return others !== undefined;
}

/**
 * Counts once the transaction is committed: a rolled-back change that is written again would be
 * counted twice. Counts at once in a transaction that `inTransaction` did not start.
 */
export function whenCommitted(tx: DbTransaction, count: () => void): void {
  if (!afterCommit(tx, count)) count();
}
