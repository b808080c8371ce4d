import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type QueryResultRow } from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { TextRow } from './row-reader.ts';

/** The database client of Prisma. */
export type Db = PrismaClient;
/** The client inside a transaction. */
export type DbTransaction = Prisma.TransactionClient;

/** The pool of a client; an extended client shares it. */
const POOL = Symbol('pool');
const IS_POOLED = Symbol('a pooler is between');

/** Limits of a process's use of the database. */
export interface DbLimits {
  /** Maximum connections; default 10. */
  readonly connections?: number | undefined;
  /** Maximum duration of a statement; default none. */
  readonly statementMs?: number | undefined;
  /** Maximum wait for a connection; default none. */
  readonly connectMs?: number | undefined;
  /**
   * Whether a pooler (PgBouncer in transaction mode) is used. Then session settings and prepared
   * statements must not be used, because another client gets the connection next.
   */
  readonly isPooled?: boolean | undefined;
}

/**
 * PostgreSQL ends a transaction of a stalled process after this time, because it would keep its
 * locks.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * A transaction waits for a connection as long as a query of the API does. After Prisma's default
 * of 2 seconds requests would fail because the machine is busy.
 */
const CONNECTION_WITHIN_MS = 10_000;
const API_STATEMENT_WITHIN_MS = 10_000;
/**
 * More than a statement of the API. At this limit Prisma does not end the statement that runs, which
 * would keep its locks and its connection. At its own limit PostgreSQL does.
 */
const TRANSACTION_WITHIN_MS = 15_000;

/**
 * A caller waits for each response of the API, so longer statements are useless and delay others.
 */
export const API_LIMITS = {
  statementMs: API_STATEMENT_WITHIN_MS,
  connectMs: CONNECTION_WITHIN_MS,
} as const satisfies DbLimits;

/** The number of queries that wait for a connection. */
export function queriesWaiting(db: Db): number {
  return poolOf(db).waitingCount;
}

/** Creates a client; connections are opened when needed. */
export function connectDb(
  databaseUrl: string,
  { connections, statementMs, connectMs, isPooled = false }: DbLimits = {},
): Db {
  const pool = new Pool({
    connectionString: databaseUrl,
    ...(connections !== undefined && { max: connections }),
    ...(statementMs !== undefined && !isPooled && { statement_timeout: statementMs }),
    ...(!isPooled && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
  });
  // Errors of idle connections are ignored: the next query gets a new connection or the error.
  pool.on('error', () => undefined);
  // A connection may break while it is handed over; without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    transactionOptions: { maxWait: CONNECTION_WITHIN_MS, timeout: TRANSACTION_WITHIN_MS },
  });
  Object.assign(db, { [POOL]: pool, [IS_POOLED]: isPooled });
  const disconnect = db.$disconnect.bind(db);
  db.$disconnect = async () => {
    await disconnect();
    if (!pool.ending) await pool.end();
  };
  return db;
}

/** A statement that each connection prepares once under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a frequent statement without Prisma: PostgreSQL plans it once per connection, and rows are
 * as `pg` returns them (a bigint is a string). One plan must suit all values, so it is not for
 * statements with varying filters.
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Db,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await poolOf(db).query<Row>({ ...asPrepared(db, statement), values: [...values] });
  return rows;
}

/** The same, with each row as the texts of its columns. */
export async function runPreparedAsText(
  db: Db,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<TextRow[]> {
  const { rows } = await poolOf(db).query<(string | null)[]>({
    ...asPrepared(db, statement),
    values: [...values],
    rowMode: 'array',
    types: AS_TEXT,
  });
  return rows;
}

/**
 * Behind a pooler the statement has no name, because the next connection may not have prepared it.
 */
function asPrepared(
  db: Db,
  { name, text }: PreparedStatement,
): { readonly name?: string; readonly text: string } {
  const { [IS_POOLED]: isPooled } = db as { [IS_POOLED]?: boolean };
  return isPooled ? { text } : { name, text };
}

const AS_TEXT = { getTypeParser: () => String };

function poolOf(db: Db): Pool {
  const { [POOL]: pool } = db as { [POOL]?: Pool };
  if (!pool) throw new Error('This database client was not created by connectDb');
  return pool;
}
