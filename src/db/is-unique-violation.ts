import { Prisma } from '../generated/prisma/client.ts';

/** Whether the database refused a row because another one has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
