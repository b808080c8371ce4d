import { Prisma } from './generated/prisma/client.ts';

/** PostgreSQL's code of what it refused, five characters (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const { driverAdapterError } = (error.meta ?? {}) as {
    driverAdapterError?: { cause?: { originalCode?: string } };
  };
  return driverAdapterError?.cause?.originalCode;
}
