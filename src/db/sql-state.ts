import { Prisma } from '../generated/prisma/client.ts';

/**
 * PostgreSQL's five-character error code
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { cause?: { originalCode?: string } };
  };
  return driverAdapterError?.cause?.originalCode;
}
