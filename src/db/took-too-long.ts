import { Prisma } from '../generated/prisma/client.ts';
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE, QUERY_CANCELED } from './postgres-errors.ts';
import { sqlStateOf } from './sql-state.ts';

const SQL_STATES: readonly (string | undefined)[] = [QUERY_CANCELED, LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED];
/** Prisma's code for a transaction that got no connection, or was open for too long. */
const TRANSACTION_LIMIT = 'P2028';
/** The pool's errors, which have no code: no connection was free, or PostgreSQL opened none. */
const NO_CONNECTION: readonly string[] = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
];

/**
 * Whether work failed because of a deadlock, or because it waited too long for a connection, a lock
 * or its own statements. It was rolled back and may succeed when it is repeated.
 */
export function tookTooLong(error: unknown): boolean {
  if (SQL_STATES.includes(sqlStateOf(error))) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === TRANSACTION_LIMIT;
  return error instanceof Error && NO_CONNECTION.includes(error.message);
}
