import { DatabaseError } from 'pg';
import { Prisma } from '../generated/prisma/client.ts';

/**
 * PostgreSQL's five-character error code, of a statement by Prisma or by `runPrepared`
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { cause?: { originalCode?: string } };
  };
  return driverAdapterError?.cause?.originalCode;
}
