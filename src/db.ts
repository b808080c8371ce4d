import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type QueryResultRow } from 'pg';
import { type Prisma, PrismaClient } from './generated/prisma/client.ts';
import type { TextRow } from './row-reader.ts';

/** The database, through Prisma. */
export type Db = PrismaClient;
/** The same inside a transaction: what a use case's helpers take. */
export type DbTransaction = Prisma.TransactionClient;

/** The pool behind a client; an extended client has it from the one that it extends. */
const POOL = Symbol('pool');

/** What one process may take of the database. */
export interface DbLimits {
  /** Connections at once; 10 where nothing is said. */
  readonly connections?: number | undefined;
  /** The database gives a statement up that takes longer; without it none. */
  readonly statementMs?: number | undefined;
  /** How long to wait for a connection before that is an error; without it for ever. */
  readonly connectMs?: number | undefined;
}

/** Connections are made when first needed. */
export function connectDb(databaseUrl: string, { connections, statementMs, connectMs }: DbLimits = {}): Db {
  const pool = new Pool({
    connectionString: databaseUrl,
    ...(connections !== undefined && { max: connections }),
    ...(statementMs !== undefined && { statement_timeout: statementMs }),
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
  });
  // A connection that breaks while nobody uses it: the next one to ask gets a new one, or the error.
  pool.on('error', () => undefined);
  // One that breaks in the moment it is handed over has nobody else who listens, and would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new PrismaClient({ adapter: new PrismaPg(pool) });
  Object.assign(db, { [POOL]: pool });
  const disconnect = db.$disconnect.bind(db);
  db.$disconnect = async () => {
    await disconnect();
    if (!pool.ending) await pool.end();
  };
  return db;
}

/** A statement that every connection prepares once: its name stands for its text. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement that nearly every request needs, past Prisma: PostgreSQL plans it once a connection, and rows come as `pg`
 * gives them (a bigint is a string). One plan must be right for all values: nothing for statements whose filters vary.
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Db,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await poolOf(db).query<Row>({ ...statement, values: [...values] });
  return rows;
}

/** The same, for who reads the columns: each row is the texts of its columns. */
export async function runPreparedAsText(
  db: Db,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<TextRow[]> {
  const { rows } = await poolOf(db).query<(string | null)[]>({
    ...statement,
    values: [...values],
    rowMode: 'array',
    types: AS_TEXT,
  });
  return rows;
}

const AS_TEXT = { getTypeParser: () => String };

function poolOf(db: Db): Pool {
  const { [POOL]: pool } = db as { [POOL]?: Pool };
  if (!pool) throw new Error('This database was not connected by connectDb');
  return pool;
}
