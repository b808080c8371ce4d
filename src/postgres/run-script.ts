import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE } from '../db/postgres-errors.ts';
import { DatabaseUnusable } from './assert-database-reachable.ts';

/** First line of a migration that runs statement by statement, outside a transaction. */
export const OUTSIDE_A_TRANSACTION = '-- Outside a transaction.';
/**
 * Errors that locks of other sessions cause. PostgreSQL has rolled the statement back, and a retry
 * may succeed.
 */
const LOCK_ERRORS: ReadonlySet<string | undefined> = new Set([LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED]);

export interface LockPatience {
  /** Maximum wait of a statement for a lock. Later queries of the table wait behind it. */
  readonly lockMs: number;
  readonly attempts: number;
  readonly pauseMs: number;
  /** Called after an attempt that did not get its lock. */
  readonly onWait?: (message: string) => void;
}

export const LOCK_PATIENCE: LockPatience = { lockMs: 3_000, attempts: 20, pauseMs: 2_000 };

/**
 * Runs a migration. A change of a table needs an exclusive lock. The migration waits for it only a
 * few seconds, because all later queries of the table wait behind it, and retries after a pause. A
 * script is one transaction, so a failed attempt has changed nothing. Indexes of large tables are
 * built outside a transaction, without blocking others.
 *
 * @throws DatabaseUnusable if no attempt got its lock; nothing was changed
 */
export async function runScript(pool: Pool, script: string, patience: LockPatience): Promise<void> {
  const client = await pool.connect();
  // A broken connection fails its statement; without this listener it would also end the process.
  client.on('error', () => undefined);
  try {
    const isOutside = script.startsWith(OUTSIDE_A_TRANSACTION);
    await client.query(`SET lock_timeout = ${patience.lockMs}`);
    const attempt = isOutside ? () => runStatements(client, script, patience) : () => client.query(script);
    await runWithRetries(client, attempt, patience);
  } finally {
    // The connection is discarded, because its settings must not be reused.
    client.release(true);
  }
}

/**
 * Runs the statements one by one. After a failure all of them run again, which such a script must
 * allow. Batches of rows and the building of an index block no other session, so they may wait for
 * locks without a limit. A change of a table may not.
 */
async function runStatements(
  client: PoolClient,
  script: string,
  { lockMs }: Pick<LockPatience, 'lockMs'>,
): Promise<void> {
  for (const statement of statementsOf(script)) {
    await client.query(`SET lock_timeout = ${/^ALTER TABLE\b/.test(statement) ? lockMs : 0}`);
    await client.query(statement);
  }
}

/**
 * Splits a script into statements. A statement ends with a semicolon at the end of a line.
 * Semicolons between two `$$`, in the body of a function or a `DO`, do not end a statement.
 */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (const line of script.replace(/^--.*$/gm, '').split('\n')) {
    statement += `${line}\n`;
    const isInBody = statement.split('$$').length % 2 === 0;
    if (isInBody || !/;[ \t]*$/.test(line)) continue;
    statements.push(statement.trim().replace(/;$/, ''));
    statement = '';
  }
  return [...statements, statement.trim()].filter(Boolean);
}

async function runWithRetries(
  client: PoolClient,
  attempt: () => Promise<unknown>,
  { attempts, pauseMs, onWait }: LockPatience,
): Promise<void> {
  for (let attemptsLeft = attempts; ; attemptsLeft -= 1) {
    try {
      await attempt();
      return;
    } catch (cause) {
      if (!LOCK_ERRORS.has((cause as { readonly code?: string }).code)) throw cause;
      const holders = await longestTransactions(client);
      const wait = `A migration waits for a table that other sessions are using. The oldest transactions: ${holders}`;
      if (attemptsLeft === 1) {
        throw new DatabaseUnusable(`${wait}. Nothing was changed: end them and run \`dues migrate\` again`, {
          cause,
        });
      }
      onWait?.(`${wait}. Retrying`);
      await sleep(pauseMs);
    }
  }
}

async function longestTransactions(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; state: string | null; seconds: number }>(`
    SELECT pid, state, extract(epoch FROM now() - xact_start)::int AS seconds FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 3`);
  if (rows.length === 0) return 'none';
  return rows.map(({ pid, state, seconds }) => `pid ${pid} (${state}, ${seconds} s)`).join(', ');
}
