import { Prisma } from '../generated/prisma/client.ts';
import { NoAnswer, NotReplicated } from './bounded-connection.ts';

/** Prisma's code for a connection that the server closed. */
const CONNECTION_CLOSED = 'P1017';
/** The error of `pg` for a connection that ended while a statement ran. It has no code. */
const TERMINATED = 'Connection terminated unexpectedly';

/**
 * Whether a change failed without an answer: it may be committed, or not, or be lost with the
 * primary. What repeats it must first read again what is stored.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof NotReplicated) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code === CONNECTION_CLOSED;
  return error instanceof Error && error.message === TERMINATED;
}
