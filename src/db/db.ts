import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { type BoundedClient, BoundedPool, Patience, withSessionSettings } from './bounded-connection.ts';
import { PREPARED } from './prepared.ts';
import type { TextRow } from './row-reader.ts';
import { TextQuery } from './text-query.ts';
import { noteTimeline } from './timeline.ts';

/** The database client of Prisma. */
export type Db = PrismaClient;
/** The client inside a transaction. */
export type DbTransaction = Prisma.TransactionClient;

/** The key of the pool in a client. An extended client shares the pool. */
const POOL = Symbol('pool');
const PATIENCE = Symbol('patience');
const IS_POOLED = Symbol('is pooled');

/** Limits of a process's use of the database. */
export interface DbLimits {
  /** Maximum connections; default 10. */
  readonly connections?: number | undefined;
  /** Maximum duration of a statement; default none. */
  readonly statementMs?: number | undefined;
  /**
   * Maximum time without an answer to a statement; default ten minutes. Then the connection is
   * destroyed. It is longer than `statementMs`, at which PostgreSQL ends the statement itself.
   */
  readonly answerMs?: number | undefined;
  /** Maximum wait for a connection; default none. */
  readonly connectMs?: number | undefined;
  /**
   * Whether connections go through a pooler (PgBouncer in transaction mode). Then session settings
   * and prepared statements must not be used, because other clients share the connection.
   */
  readonly isPooled?: boolean | undefined;
}

/**
 * PostgreSQL ends a transaction that is idle for this time, because the transaction of a stalled
 * process would keep its locks. Prisma ends its own earlier.
 */
const IDLE_IN_TRANSACTION_MS = 30_000;
/**
 * The pool closes a connection that is idle for this time. A new one costs PostgreSQL a process, and
 * all query plans are made again, so a quiet moment must not close all of them.
 */
const IDLE_CONNECTION_MS = 5 * 60_000;
/**
 * PostgreSQL ends a session that is idle for this time: the pool would have closed it, so its process
 * is stalled, and `max_connections` counts the session.
 */
const IDLE_SESSION_MS = 10 * 60_000;
/**
 * PostgreSQL asks an idle connection after 30 seconds, and ends its session when three questions have
 * no answer: the machine or the network is lost.
 */
const LOST_PEER = { tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 };

/**
 * A transaction waits for a connection as long as a query of the API does. With Prisma's default of
 * 2 seconds, requests would fail when the machine is busy.
 */
const CONNECTION_TIMEOUT_MS = 10_000;
const API_STATEMENT_TIMEOUT_MS = 10_000;
/** Limits of indexer and worker. Their batches take a second, or some on a busy database. */
const SERVICE_STATEMENT_TIMEOUT_MS = 30_000;
const SERVICE_CONNECTION_TIMEOUT_MS = 30_000;
/** The time after which a statement should have been ended by PostgreSQL. */
const CANCELLATION_MS = 5_000;
/** Commands may scan all rows, for example `dues audit`. */
const COMMAND_ANSWER_TIMEOUT_MS = 10 * 60_000;
/**
 * Longer than the limit of a statement of the API. When a transaction reaches this limit, Prisma
 * does not end the running statement, which keeps its locks and its connection. PostgreSQL ends a
 * statement at the statement's own limit.
 */
const TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * Limits of the API. A caller waits for each response, so a longer statement is useless and delays
 * others.
 */
export const API_LIMITS = {
  statementMs: API_STATEMENT_TIMEOUT_MS,
  answerMs: API_STATEMENT_TIMEOUT_MS + CANCELLATION_MS,
  connectMs: CONNECTION_TIMEOUT_MS,
} as const satisfies DbLimits;

/** Limits of the other roles. */
export const SERVICE_LIMITS = {
  statementMs: SERVICE_STATEMENT_TIMEOUT_MS,
  answerMs: SERVICE_STATEMENT_TIMEOUT_MS + CANCELLATION_MS,
  connectMs: SERVICE_CONNECTION_TIMEOUT_MS,
} as const satisfies DbLimits;

/** The number of queries that wait for a connection. */
export function queriesWaiting(db: Db): number {
  return poolOf(db).waitingCount;
}

/**
 * Shortens all waits for the database to five seconds, because the process stops. If the database
 * does not answer then, all calls fail at once.
 */
export function shortenWaits(db: Db): void {
  (db as { [PATIENCE]?: Patience })[PATIENCE]?.shorten();
}

/**
 * Shortens the waits that run now to five more seconds, because PostgreSQL did not answer on another
 * connection of this process: the network between them may be lost.
 */
export function shortenRunningWaits(db: Db): void {
  (db as { [PATIENCE]?: Patience })[PATIENCE]?.doubt();
}

/** Creates a client; connections are opened when needed. */
export function connectDb(
  databaseUrl: string,
  {
    connections,
    statementMs,
    answerMs = COMMAND_ANSWER_TIMEOUT_MS,
    connectMs,
    isPooled = false,
  }: DbLimits = {},
): Db {
  const patience = new Patience(answerMs);
  const sessionSettings = {
    ...LOST_PEER,
    idle_session_timeout: IDLE_SESSION_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(statementMs !== undefined && { statement_timeout: statementMs }),
  };
  const pool = new BoundedPool({
    patience,
    async onConnect(client) {
      const identity = await noteTimeline(client);
      // The connections of a pooler stay when it has found another primary.
      if (identity !== undefined && !isPooled) patience.find(identity, client as unknown as BoundedClient);
    },
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    connectionString: isPooled ? databaseUrl : withSessionSettings(databaseUrl, sessionSettings),
    ...(connections !== undefined && { max: connections }),
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
  });
  const db = new PrismaClient({
    adapter: new PrismaPg(pool, isPooled ? {} : { statementNameGenerator: ({ sql }) => nameOf(sql) }),
    transactionOptions: { maxWait: CONNECTION_TIMEOUT_MS, timeout: TRANSACTION_TIMEOUT_MS },
  });
  Object.assign(db, { [POOL]: pool, [PATIENCE]: patience, [IS_POOLED]: isPooled });
  const disconnect = db.$disconnect.bind(db);
  db.$disconnect = async () => {
    await disconnect();
    if (!pool.ending) await pool.end();
  };
  return db;
}

/** A statement that each connection prepares under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a frequent statement without Prisma: PostgreSQL makes its query plan a few times per
 * connection, and rows
 * are as `pg` returns them (a bigint is a string). Not for statements with varying filters, because
 * one query plan must suit all values.
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Db,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await poolOf(db).query<Row>({ ...asPrepared(db, statement), values: [...values] });
  return rows;
}

/** Runs a statement like `runPrepared`, with each row as the texts of its columns. */
export async function runPreparedAsText(
  db: Db,
  statement: PreparedStatement,
  values: readonly (string | number)[],
): Promise<TextRow[]> {
  const query = new TextQuery({ ...asPrepared(db, statement), values: values.map(String) });
  // The types of `pg` leave out that a pool takes such a query.
  const { rows } = await poolOf(db).query(query as unknown as QueryConfig);
  return rows;
}

/** Maximum different texts that are prepared because of `PREPARED`. Further ones are not prepared. */
const MAX_PREPARED_TEXTS = 100;
const preparedTexts = new Map<string, PreparedStatement>();

/** The name under which a connection of Prisma prepares a statement; empty if it does not. */
function nameOf(text: string): string {
  if (!text.startsWith(PREPARED.sql)) return '';
  const known = preparedTexts.get(text);
  if (!known && preparedTexts.size >= MAX_PREPARED_TEXTS) return '';
  const statement = known ?? { name: `prisma.${preparedTexts.size}`, text };
  preparedTexts.set(text, statement);
  return nameOfRun(statement);
}

/** How often this process has run each statement. */
const runs = new WeakMap<PreparedStatement, number>();

/**
 * The statement as a query of `pg`. With a pooler it has no name, because the next connection may
 * not have prepared it.
 */
function asPrepared(db: Db, statement: PreparedStatement): { readonly name?: string; readonly text: string } {
  const { text } = statement;
  const { [IS_POOLED]: isPooled } = db as { [IS_POOLED]?: boolean };
  return isPooled ? { text } : { name: nameOfRun(statement), text };
}

/**
 * The name of a statement for its next run.
 *
 * The name ends with the number of digits of the runs, so the statement gets a new query plan
 * after 10,
 * 100, 1,000 runs and so on. PostgreSQL keeps the query plan of a name until it collects
 * statistics, which it does once a minute. A query plan made for an empty table scans the table,
 * also while it grows.
 */
function nameOfRun(statement: PreparedStatement): string {
  const run = (runs.get(statement) ?? 0) + 1;
  runs.set(statement, run);
  return `${statement.name}.${String(run).length}`;
}

function poolOf(db: Db): Pool {
  const { [POOL]: pool } = db as { [POOL]?: Pool };
  if (!pool) throw new Error('This database client was not created by connectDb');
  return pool;
}
