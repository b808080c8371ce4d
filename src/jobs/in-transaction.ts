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
type BeforeCommit = () => Promise<void>;

interface Callbacks {
  readonly before: BeforeCommit[];
  readonly after: AfterCommit[];
}

const callbacksByTransaction = new WeakMap<DbTransaction, Callbacks>();

/**
 * Runs the work in a database transaction, then the functions that were passed to `beforeCommit`, and, after
 * its commit, those that were passed to `afterCommit`. After a rollback, none of the latter runs.
 */
export async function inTransaction<T>(
  ctx: TransactionContext,
  work: (tx: DbTransaction) => Promise<T>,
): Promise<T> {
  const { before, after }: Callbacks = { before: [], after: [] };
  const result = await ctx.db.$transaction(async (tx) => {
    callbacksByTransaction.set(tx, { before, after });
    const done = await work(tx);
    for (const callback of before) await callback();
    return done;
  });
  await Promise.all(after.map((callback) => callback(ctx)));
  return result;
}

/** Runs a function at the end of a transaction that `inTransaction` started. If it rejects, all is rolled back. */
export function beforeCommit(tx: DbTransaction, run: BeforeCommit): void {
  callbacksOf(tx).before.push(run);
}

/**
 * Runs a function after the commit of a transaction that `inTransaction` started. The function must
 * not reject.
 */
export function afterCommit(tx: DbTransaction, run: AfterCommit): void {
  callbacksOf(tx).after.push(run);
}

function callbacksOf(tx: DbTransaction): Callbacks {
  const callbacks = callbacksByTransaction.get(tx);
  if (!callbacks) throw new Error('work around a commit needs a transaction that inTransaction started');
  return callbacks;
}
